import { Comparison, type ComparisonView } from '#src/ui/comparison/comparison.tsx'
import { type VersionContent, variablesText } from '#src/prompts/draft.ts'

type Props = { label: string; before: VersionContent; after: VersionContent; view: ComparisonView }

/** The differences of two versions: of their texts, and of their declared variables if there are any. */
export function VersionComparison({ label, before, after, view }: Props) {
  const variables = [before, after].map(({ declared_variables }) => variablesText(declared_variables))
  const [declaredBefore = '', declaredAfter = ''] = variables
  return (
    <>
      <Comparison label={label} before={before.template} after={after.template} view={view} />
      {declaredBefore !== declaredAfter && (
        <>
          <h3 className="heading">Declared variables</h3>
          <Comparison label={`${label}: variables`} before={declaredBefore} after={declaredAfter} view={view} />
        </>
      )}
    </>
  )
}
