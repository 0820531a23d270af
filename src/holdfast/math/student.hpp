#pragma once

namespace holdfast {

/// Returns the t with P(T <= t) = probability for Student's law. @pre degrees > 0, 0 < probability < 1
[[nodiscard]] double student_quantile(double probability, double degrees);

}  // namespace holdfast
