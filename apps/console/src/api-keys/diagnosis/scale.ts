/** The top of an axis: 1, 2 or 4 times a power of ten, at least `most`, and even above 1. */
export function scaleOf(most: number): number {
  for (let power = 1; ; power *= 10) {
    const top = [1, 2, 4, 10].map((step) => step * power).find((step) => step >= most)
    if (top !== undefined) return top
  }
}
