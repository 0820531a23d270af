#pragma once

#include <boost/math/policies/policy.hpp>

namespace holdfast {

/// A policy for the .cpp files of math/ only. Boost computes in double (four times faster than in long double), and errors
/// become NaN or infinity instead of exceptions.
using BoostPolicy = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::denorm_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

}  // namespace holdfast
