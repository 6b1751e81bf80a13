const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 10]
const STEPS_MAX = 5

/** The marks of an axis from 0 to at least `most`: whole numbers in equal steps, usually four or five. */
export function scaleOf(most: number): number[] {
  for (let power = 1; ; power *= 10) {
    const step = STEPS.map((factor) => factor * power).find(
      (size) => Number.isInteger(size) && size * STEPS_MAX >= most,
    )
    if (step !== undefined) return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, n) => n * step)
  }
}
