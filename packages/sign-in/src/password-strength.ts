import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/**
 * Only the first 32 characters are judged: zxcvbn takes up to 50 ms for 32 and seconds for 256. A weak prefix is
 * refused.
 */
const JUDGED_MAX = 32
/** Maximum number of spellings tried with digits and signs in place of letters. */
const SUBSTITUTIONS_MAX = 16
/** Passphrases from documentation and cartoons: once random words, now known to every attacker. */
const FAMOUS = ['correct horse battery staple', 'troubador 3', 'Tr0ub4dor &3'].flatMap((phrase) =>
  [' ', '', '-', '_', '.'].map((separator) => phrase.replaceAll(' ', separator)),
)

let loading: Promise<ZxcvbnFactory> | undefined

/**
 * zxcvbn's score of a password, from 0 to 4. zxcvbn knows common passwords, names, words and keyboard patterns; `words`
 * adds the words of the account. Case is ignored: people put capitals at the positions tried first by attackers.
 */
export async function strengthOf(password: string, words: readonly string[]): Promise<number> {
  loading ??= load()
  return (await loading).check(password.toLowerCase(), [...words]).score
}

/** Lazy-loaded: the dictionaries take 30 MB of memory, and most servers check no password for days. */
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
