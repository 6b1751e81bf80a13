import * as z from 'zod/mini'

/** The environments of a key. The environment is chosen at the creation and never changes. */
export const KEY_ENVIRONMENTS = ['live', 'test'] as const
/** `test`: a key for development. It has the rules of a live key, and its calls are counted separately. */
export const keyEnvironment = z.enum(KEY_ENVIRONMENTS)
export type KeyEnvironment = z.infer<typeof keyEnvironment>
