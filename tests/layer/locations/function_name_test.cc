#include "code_places/function_name.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

TEST(FunctionName, IsTheSymbolInC) {
  EXPECT_EQ("main", function_name("main"));
  EXPECT_EQ("solve_", function_name("solve_"));
  EXPECT_EQ("", function_name(""));
}

TEST(FunctionName, IsTheFunctionThatAPartWasTakenFrom) {
  EXPECT_EQ("main", function_name("main.omp_outlined"));
  EXPECT_EQ("main", function_name("main.omp_outlined_debug__.2"));
  EXPECT_EQ("foo", function_name("foo._omp_fn.0"));
  EXPECT_EQ("foo_", function_name("foo_.omp_fn.0"));
  EXPECT_EQ("work", function_name("work.isra.0.cold"));
  EXPECT_EQ("_QQmain", function_name("_QQmain..omp_par.1"));
  EXPECT_EQ("grid::step", function_name("_ZN4grid4stepEv.omp_outlined"));
  EXPECT_EQ("fork", function_name("fork@@GLIBC_2.2.5"));
  EXPECT_TRUE(is_part("main.omp_outlined"));
  EXPECT_FALSE(is_part("main"));
}

TEST(FunctionName, StaysWhereAPartDoesNotTellItsFunction) {
  EXPECT_EQ(".omp_outlined.", function_name(".omp_outlined."));
  EXPECT_EQ("", whole_of(".omp_outlined."));
}

TEST(FunctionName, HasScopesButNoParametersTypesOrTemplateArguments) {
  // int grid::Solver<double>::step(double const*, int) const
  EXPECT_EQ("grid::Solver::step",
            function_name("_ZNK4grid6SolverIdE4stepEPKdi"));
  // int grid::hidden<int>(int)
  EXPECT_EQ("grid::hidden", function_name("_ZN4grid6hiddenIiEEiT_"));
  // double grid::(anonymous namespace)::hidden<double>(double)
  EXPECT_EQ("grid::(anonymous namespace)::hidden",
            function_name("_ZN4grid12_GLOBAL__N_16hiddenIdEET_S2_"));
  // std::vector<int, std::allocator<int> >::push_back(int&&)
  EXPECT_EQ("std::vector::push_back",
            function_name("_ZNSt6vectorIiSaIiEE9push_backEOi"));
  // unsigned long twice<unsigned long>(unsigned long)
  EXPECT_EQ("twice", function_name("_Z5twiceImET_S0_"));
}

TEST(FunctionName, KnowsLambdasAndLocalNames) {
  // main::{lambda(int)#1}::operator()(int) const
  EXPECT_EQ("main::lambda", function_name("_ZZ4mainENKUliE_clEi"));
  // solve(int)::{lambda()#2}::operator()() const
  EXPECT_EQ("solve::lambda", function_name("_ZZ5solveiENKUlvE0_clEv"));
  // main::$_0::operator()() const
  EXPECT_EQ("main::lambda", function_name("_ZZ4mainENK3$_0clEv"));
  // solve(int)::Local::run()
  EXPECT_EQ("solve::Local::run", function_name("_ZZ5solveiEN5Local3runEv"));
  // void apply<main::{lambda()#1}>(main::{lambda()#1} const&)
  EXPECT_EQ("apply", function_name("_Z5applyIZ4mainEUlvE_EvRKT_"));
}

TEST(FunctionName, KnowsOperators) {
  EXPECT_EQ("A::operator()", function_name("_ZNK1AclEv"));
  EXPECT_EQ("A::operator[]", function_name("_ZN1AixEi"));
  EXPECT_EQ("A::operator->", function_name("_ZN1AptEv"));
  EXPECT_EQ("operator<<", function_name("_ZlsR1AS0_"));
  EXPECT_EQ("operator<", function_name("_ZltRK1AS1_"));
  EXPECT_EQ("operator<", function_name("_ZltIiEbRK1AIT_ES4_"));
  EXPECT_EQ("A::operator bool", function_name("_ZNK1AcvbEv"));
  EXPECT_EQ("operator new[]", function_name("_Znam"));
  EXPECT_EQ("B::operator++", function_name("_ZN1BppEv"));
  EXPECT_EQ("cooperator_of", function_name("_Z13cooperator_ofi"));
}

TEST(FunctionName, OfWhatIsNoMangledNameIsItself) {
  EXPECT_EQ("_Z", function_name("_Z"));
  EXPECT_EQ("_Zebra", function_name("_Zebra"));
}

}  // namespace
}  // namespace poprt
