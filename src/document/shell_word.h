// Words of lines that a reader may paste into a shell.
#ifndef POPRT_DOCUMENT_SHELL_WORD_H_
#define POPRT_DOCUMENT_SHELL_WORD_H_

#include <string>

namespace poprt {

// A path as one word: quoted where the shell would take it for more, and with
// "./" in front where a command would take it for an option.
std::string shell_word(const std::string& path);

}  // namespace poprt

#endif  // POPRT_DOCUMENT_SHELL_WORD_H_
