import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Characters that are judged. zxcvbn takes up to 50 ms for 32 and seconds for 256; a password weak so far is refused. */
const JUDGED_MAX = 32
/** Spellings with digits and signs for letters that are tried. */
const SUBSTITUTIONS_MAX = 16
/** Passphrases of documentation and cartoons: random words once, known to every attacker now. */
const FAMOUS = ['correct horse battery staple', 'troubador 3', 'Tr0ub4dor &3'].flatMap((phrase) =>
  [' ', '', '-', '_', '.'].map((separator) => phrase.replaceAll(' ', separator)),
)

let loading: Promise<ZxcvbnFactory> | undefined

/**
 * How hard a password is to guess for a program that knows common passwords, names, words, keyboard patterns and the
 * `words` of the account: zxcvbn's score from 0 to 4. Capital letters count for nothing: people put them where programs
 * try them first.
 */
export async function strengthOf(password: string, words: readonly string[]): Promise<number> {
  loading ??= load()
  return (await loading).check(password.toLowerCase(), [...words]).score
}

/** On the first use: the dictionaries take 30 MB of memory, and most servers check no password for days. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary, famous: FAMOUS },
    graphs: common.adjacencyGraphs,
    maxLength: JUDGED_MAX,
    l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
  })
}
