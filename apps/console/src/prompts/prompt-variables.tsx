import { GENERAL_PROMPT, PROMPT_VARIABLES, type PromptTemplate } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { Card } from '#src/ui/page/card.tsx'
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
        {PROMPT_VARIABLES.map((name) => {
          const value = name === 'current_heat_category_name' ? GENERAL_PROMPT : values?.[name]
          return (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd dir="auto">{value === '' ? '(empty)' : value}</dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}
