import type { PromptTemplate } from '@switchboard/contract/prompts'
import { PROMPT_VARIABLES } from '@switchboard/contract/prompts/variables'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#src/ui/card/card.tsx'
import { rowsOf } from '#src/ui/form/name-values.ts'
import { previewQuery } from './prompts.api.ts'
import css from './prompt-variables.module.css'

type Props = { tenantId: string; base: PromptTemplate }

/** The variables of a prompt with the values of a tenant, and the declared variables with their defaults. */
export function PromptVariables({ tenantId, base }: Props) {
  const values = useQuery(previewQuery({ template: base.template, tenant_id: tenantId })).data?.variables
  return (
    <Card
      title="Variables"
      help="Write a name in double braces, as in {{ goal }}. The values are those of this tenant, and the defaults of declared variables."
    >
      <dl className={css.variables}>
        {PROMPT_VARIABLES.map((name) => (
          <Variable key={name} name={name} value={values?.[name]} />
        ))}
        {rowsOf(base.declared_variables).map(({ name, value }) => (
          <Variable key={name} name={name} value={value} />
        ))}
        {Object.entries(values?.custom_fields ?? {}).map(([name, value]) => (
          <Variable key={name} name={name} value={value} />
        ))}
      </dl>
    </Card>
  )
}

function Variable({ name, value }: { name: string; value: string | number | undefined }) {
  return (
    <div>
      <dt>
        <code>{name}</code>
      </dt>
      <dd dir="auto">{value === '' ? '(empty)' : value}</dd>
    </div>
  )
}
