/* Every type trait of section 3.29 is there, and some say what they should. */
#include "check.h"
#include <opencl_type_traits>
using namespace cl;

struct A {
  int x;
};
struct B : A {};
struct F final {};
union U {
  int a;
};
enum E : int { e1 };

#define ONE(is)                                                                                    \
  static_assert(is<int>::value || !is<A>::value || is<float4>::value || is<bool3>::value || true);
ONE(is_void)
ONE(is_null_pointer) ONE(is_integral) ONE(is_floating_point) ONE(is_array) ONE(is_pointer) ONE(
    is_lvalue_reference) ONE(is_rvalue_reference) ONE(is_member_object_pointer)
    ONE(is_member_function_pointer) ONE(is_enum) ONE(is_union) ONE(is_class) ONE(is_function) ONE(
        is_reference) ONE(is_arithmetic) ONE(is_fundamental) ONE(is_object) ONE(is_scalar)
        ONE(is_compound) ONE(is_member_pointer) ONE(is_const) ONE(is_volatile) ONE(is_private) ONE(
            is_local) ONE(is_global) ONE(is_constant) ONE(is_generic) ONE(is_vector) ONE(is_trivial)
            ONE(is_trivially_copyable) ONE(is_standard_layout) ONE(is_pod) ONE(is_literal_type) ONE(
                is_empty) ONE(is_polymorphic) ONE(is_abstract) ONE(is_final) ONE(is_signed)
                ONE(is_unsigned) ONE(is_default_constructible) ONE(is_copy_constructible) ONE(
                    is_move_constructible) ONE(is_copy_assignable) ONE(is_move_assignable)
                    ONE(is_destructible) ONE(is_trivially_default_constructible) ONE(
                        is_trivially_copy_constructible) ONE(is_trivially_move_constructible)
                        ONE(is_trivially_copy_assignable) ONE(is_trivially_move_assignable) ONE(
                            is_trivially_destructible) ONE(is_nothrow_default_constructible)
                            ONE(is_nothrow_copy_constructible) ONE(
                                is_nothrow_move_constructible) ONE(is_nothrow_copy_assignable)
                                ONE(is_nothrow_move_assignable) ONE(is_nothrow_destructible) ONE(
                                    has_virtual_destructor) ONE(is_vector_type)
#define TWO(is) static_assert(is<int &, int &>::value || true);
                                    TWO(is_constructible) TWO(is_assignable) TWO(
                                        is_trivially_constructible) TWO(is_trivially_assignable)
                                        TWO(is_nothrow_constructible) TWO(is_nothrow_assignable) TWO(
                                            is_same) TWO(is_base_of) TWO(is_convertible)
#define MAKES(trait) static_assert(is_same<trait<int>::type, trait##_t<int>>::value);
                                            MAKES(add_const) MAKES(add_constant) MAKES(add_cv) MAKES(
                                                add_generic) MAKES(add_global) MAKES(add_local)
                                                MAKES(add_lvalue_reference) MAKES(add_pointer) MAKES(
                                                    add_private) MAKES(add_rvalue_reference)
                                                    MAKES(add_volatile) MAKES(decay) MAKES(
                                                        make_signed) MAKES(make_unsigned)
                                                        MAKES(remove_all_extents) MAKES(remove_as) MAKES(
                                                            remove_attrs) MAKES(remove_const)
                                                            MAKES(remove_constant) MAKES(
                                                                remove_cv) MAKES(remove_extent)
                                                                MAKES(remove_generic) MAKES(
                                                                    remove_global) MAKES(remove_local)
                                                                    MAKES(remove_pointer) MAKES(
                                                                        remove_private)
                                                                        MAKES(remove_reference) MAKES(
                                                                            remove_volatile)
                                                                            MAKES(vector_element)

                                                                                static_assert(
                                                                                    alignment_of<
                                                                                        long>::
                                                                                            value ==
                                                                                        8 &&
                                                                                    rank<
                                                                                        int[2][3]>::
                                                                                            value ==
                                                                                        2 &&
                                                                                    extent<
                                                                                        int[2][3],
                                                                                        1>::value ==
                                                                                        3);
static_assert(is_same<underlying_type_t<E>, int>::value);
static_assert(is_same<common_type_t<int, long>, long>::value);
static_assert(is_same<make_vector_t<int, 4>, int4>::value &&
              is_same<make_vector<bool, 3>::type, bool3>::value &&
              is_same<make_vector_t<float, 1>, float>::value);
static_assert(vector_size<int3>::value == 3 && vector_size<int>::value == 1 &&
              is_same<vector_element_t<bool8>, bool>::value && vector_size<bool16>::value == 16);
static_assert(is_base_of<A, B>::value && is_final<F>::value && !is_final<A>::value &&
              is_union<U>::value && is_enum<E>::value);
static_assert(is_global<__global int>::value && is_local<__local int>::value &&
              is_constant<__constant int>::value && is_private<__private int>::value &&
              is_generic<__generic int>::value && !is_global<__local int>::value);
static_assert(is_same<remove_as_t<__local int>, int>::value &&
              is_same<add_global_t<int>, __global int>::value &&
              is_same<remove_attrs_t<const volatile __global int>, int>::value);
static_assert(is_integral<bool>::value && is_integral<char>::value && !is_integral<int4>::value &&
              is_floating_point<half>::value && !is_floating_point<float4>::value &&
              is_signed<int>::value && is_vector_type<int4>::value &&
              is_vector_type<bool4>::value && is_fundamental<int4>::value &&
              is_scalar<int>::value && is_arithmetic<half>::value);
static_assert(is_trivial<A>::value && is_pod<A>::value && is_class<A>::value &&
              is_member_object_pointer<int A::*>::value);

struct callable {
  long operator()(int) const;
};
static_assert(is_same<result_of_t<callable(int)>, long>::value);

kernel void traits(uint *failed, int *data) {}
