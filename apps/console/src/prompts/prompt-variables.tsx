import type { PromptTemplate } from '@switchboard/contract/prompts'
import { GENERAL_PROMPT, PROMPT_VARIABLES } from '@switchboard/contract/prompts/variables'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#src/ui/card/card.tsx'
import { previewQuery } from './prompts.api.ts'
import css from './prompt-variables.module.css'

type Props = { tenantId: string; base: PromptTemplate }

/** The variables of the base template with the values of a tenant. */
export function PromptVariables({ tenantId, base }: Props) {
  const values = useQuery(previewQuery({ template: base.template, tenant_id: tenantId })).data?.variables
  return (
    <Card
      title="Variables"
      help="Write a name in double braces, as in {{ goal }}. The values are those of this tenant."
    >
      <dl className={css.variables}>
        {PROMPT_VARIABLES.map((name) => (
          <Variable
            key={name}
            name={name}
            value={name === 'current_heat_category_name' ? GENERAL_PROMPT : values?.[name]}
          />
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
