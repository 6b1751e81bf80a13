import { Comparison, type ComparisonView } from '#src/ui/comparison/comparison.tsx'
import { type VersionContent, variablesText } from '#src/prompts/draft.ts'

type Props = {
  label: string
  before: VersionContent
  after: VersionContent
  view: ComparisonView
  /** The level below the title of the page or dialog. */
  heading: 'h2' | 'h3'
}

/** The differences of two versions: of their texts, and of their declared variables if there are any. */
export function VersionComparison({ label, before, after, view, heading: Heading }: Props) {
  const variables = [before, after].map(({ declared_variables }) => variablesText(declared_variables))
  const [declaredBefore = '', declaredAfter = ''] = variables
  return (
    <>
      <Comparison label={label} before={before.template} after={after.template} view={view} />
      {declaredBefore !== declaredAfter && (
        <>
          <Heading className="heading">Declared variables</Heading>
          <Comparison label={`${label}: variables`} before={declaredBefore} after={declaredAfter} view={view} />
        </>
      )}
    </>
  )
}
