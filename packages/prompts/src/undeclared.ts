import { type DeclaredVariables, undeclaredNames, type VariableValues } from '@switchboard/contract/prompts/variables'
import { AppError } from '@switchboard/server/http/errors'

/** Most names in an answer. */
const NAMES_MAX = 20

/** Throws 422 with the name of each value whose variable the template does not declare. `part` has the values. */
export function refuseUndeclared(
  declared: DeclaredVariables,
  values: VariableValues,
  part: 'body' | 'querystring',
): void {
  const detail = undeclaredNames(declared, values)
    .slice(0, NAMES_MAX)
    .map((name) => ({
      loc: [part, 'variables', name.slice(0, 100)],
      msg: `The template does not declare the variable "${name.slice(0, 100)}".`,
      type: 'unrecognized_keys',
    }))
  if (detail.length > 0) throw new AppError(422, detail[0]?.msg ?? '', { extra: { detail } })
}
