#include "code_places/helper/scopes.h"

#include <dwarf.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>

#include "code_places/function_name.h"

namespace poprt {
namespace {

std::string_view linkage_name(Dwarf_Die* function) {
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(function, name, &attribute) == nullptr) continue;
    if (const char* const text = dwarf_formstring(&attribute)) return text;
  }
  return "";
}

std::string_view plain_name(Dwarf_Die* function) {
  const char* const name = dwarf_diename(function);
  return name == nullptr ? "" : name;
}

// Linkage names of C++ contain the scopes.  Other linkage names (Fortran's
// "solve_") tell less than the plain name.
std::string_view symbol_name(Dwarf_Die* function) {
  const std::string_view linkage = linkage_name(function);
  const std::string_view plain = plain_name(function);
  return linkage.substr(0, 2) == "_Z" || plain.empty() ? linkage : plain;
}

// The declaration of a function, from one of its instances.
Dwarf_Die declaration_of(Dwarf_Die function) {
  for (const unsigned kind : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(&function, kind, &attribute) != nullptr &&
        dwarf_formref_die(&attribute, &origin) != nullptr) {
      function = origin;
    }
  }
  return function;
}

// The name built from the scopes, for functions without a linkage name because
// they have internal linkage (gcc).
std::string scoped_name(Dwarf_Die* function) {
  Dwarf_Die declaration = declaration_of(*function);
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  std::string name = without_arguments(plain_name(function));
  bool local = false;
  for (int i = 1; i < count; ++i) {
    const std::string scope = without_arguments(plain_name(&scopes[i]));
    const int tag = dwarf_tag(&scopes[i]);
    const bool is_class =
        tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
    if (is_class && scope.empty()) {
      name = "lambda";
    } else if (is_class || (local && tag == DW_TAG_subprogram)) {
      name = scope + "::" + name;
    } else if (tag == DW_TAG_namespace) {
      name = (scope.empty() ? "(anonymous namespace)" : scope) + "::" + name;
    }
    local = local || is_class;
  }
  if (count > 0) std::free(scopes);
  return name;
}

std::string name_of(Dwarf_Die* function) {
  const std::string_view symbol = symbol_name(function);
  return symbol.substr(0, 2) == "_Z" ? function_name(std::string(symbol))
                                     : scoped_name(function);
}

bool holds_functions(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_module ||
         tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

// Calls `visit` for each function below `parent` that is in the source.
void for_each_function(Dwarf_Die* parent,
                       const std::function<void(Dwarf_Die*)>& visit) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (holds_functions(tag)) for_each_function(&child, visit);
    if (tag == DW_TAG_subprogram && !is_part(symbol_name(&child)) &&
        !dwarf_hasattr(&child, DW_AT_declaration)) {
      visit(&child);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

// The innermost function below `parent` with code at `address`, including
// inlined ones.  dwarf_getscopes() does not do: gcc puts the function that it
// makes of an OpenMP construct into the function around it, whose code does not
// contain it.
bool find_function(Dwarf_Die* parent, Dwarf_Addr address, Dwarf_Die* found) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    if ((tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) &&
        dwarf_haspc(&child, address) > 0) {
      *found = child;
      find_function(&child, address, found);
      return true;
    }
    if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block ||
         holds_functions(tag)) &&
        find_function(&child, address, found)) {
      return true;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// The name of the function with this symbol.
std::string name_of_symbol(Dwarf_Die* unit, std::string_view symbol) {
  std::string name;
  for_each_function(unit, [&](Dwarf_Die* function) {
    if (linkage_name(function) == symbol || plain_name(function) == symbol) {
      name = name_of(function);
    }
  });
  return name;
}

// The name of the last function that begins before a line.
std::string name_before(Dwarf_Die* unit, const Line& line) {
  std::string name;
  int best = 0;
  // dwarf_decl_file() aborts in split units if the files have not been read
  // before.
  Dwarf_Files* files;
  if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return name;
  for_each_function(unit, [&](Dwarf_Die* function) {
    int begin = 0;
    const char* const file = dwarf_decl_file(function);
    if (file == nullptr || base_name(file) != line.file ||
        dwarf_decl_line(function, &begin) != 0 || begin > line.number ||
        begin <= best) {
      return;
    }
    best = begin;
    name = name_of(function);
  });
  return name;
}

std::string name_in_source(Dwarf_Die* unit, Dwarf_Die* function,
                           const Line& line) {
  const std::string_view symbol = symbol_name(function);
  if (!is_part(symbol)) return name_of(function);
  const std::string_view whole = whole_of(symbol);
  if (whole.empty()) return name_before(unit, line);
  const std::string name = name_of_symbol(unit, whole);
  return name.empty() ? function_name(std::string(symbol)) : name;
}

}  // namespace

std::string base_name(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

std::string function_at(Dwarf_Die* unit, Dwarf_Addr address, const Line& line) {
  Dwarf_Die function;
  if (!find_function(unit, address, &function)) return "";
  return name_in_source(unit, &function, line);
}

}  // namespace poprt
