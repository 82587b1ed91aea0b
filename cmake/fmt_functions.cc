// {fmt}'s functions that are no templates, and the templates that its headers
// declare to be instantiated elsewhere. What is compiled with the headers alone
// has them in each file, which takes three times as long.
#include <fmt/format-inl.h>

namespace fmt::detail {
template auto dragonbox::to_decimal(float value) noexcept
    -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double value) noexcept
    -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl<char>(locale_ref)
    -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
}  // namespace fmt::detail
