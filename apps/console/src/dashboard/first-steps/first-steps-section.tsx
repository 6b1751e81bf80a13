import { Button } from '@mantine/core'
import type { FirstSteps } from '@switchboard/contract/dashboard/first-steps'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { maskedSecret } from '#src/api-keys/api-key-labels.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Section } from '#src/ui/card/section.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { firstCall } from '#src/api-keys/settings/first-call-labels.ts'
import css from './first-steps-section.module.css'

type Props = { steps: FirstSteps; onHide: () => void }
type StepLink = {
  label: string
  to: '/tenants/create' | '/users/create' | '/keys' | '/tasks/create'
  search?: { [Name in 'tenant_id' | 'generate' | 'key']?: string }
}
type Step = { title: string; help: string; isDone: boolean; link: StepLink | undefined; example?: string }

/** The way from an empty installation to the first review, ticked from the records. */
export function FirstStepsSection({ steps, onHide }: Props) {
  const list = stepsOf(steps)
  const current = list.find(({ isDone }) => !isDone)
  const done = list.filter(({ isDone }) => isDone).length
  return (
    <Section
      title="First steps"
      action={
        <div className={css.head}>
          <output>
            {done} of {list.length} done
          </output>
          {steps.tenant !== null && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-md"
              onClick={() => {
                focusTitle()
                onHide()
              }}
            >
              {current ? 'Hide' : 'Close'}
            </Button>
          )}
        </div>
      }
    >
      <ol className={css.steps}>
        {list.map((step) => (
          <StepItem key={step.title} step={step} isCurrent={step === current} />
        ))}
      </ol>
    </Section>
  )
}

/** The same height before and after the step, to avoid a layout shift when the step is done elsewhere. */
function StepItem({ step, isCurrent }: { step: Step; isCurrent: boolean }) {
  const { title, help, isDone, link, example } = step
  const Icon = isDone ? IconCircleCheck : IconCircle
  return (
    <li className={`${css.step} ${isDone ? css.done : ''}`} aria-current={isCurrent ? 'step' : undefined}>
      <Icon size={20} aria-hidden className={css.tick} />
      <div className="wrap">
        <h3 className={css.title}>
          {title}
          {isDone && <span className={hidden.hidden}> (done)</span>}
        </h3>
        <p className="ink-3">{help}</p>
      </div>
      <div className={css.action}>
        {link && !isDone && (
          <ButtonLink
            to={link.to}
            {...(link.search && { search: link.search })}
            variant={isCurrent ? 'filled' : 'default'}
          >
            {link.label}
          </ButtonLink>
        )}
      </div>
      {example && (
        <div className={css.example}>
          <pre className={css.code}>
            <code>{example}</code>
          </pre>
          <CopyButton text={example} noun="example" />
        </div>
      )}
    </li>
  )
}

function stepsOf({ tenant, has_user, has_key, key, calls, has_task, ai_api_url }: FirstSteps): Step[] {
  const name = tenant?.name ?? 'a tenant'
  const isRefused = calls === 'refused'
  const secret = key?.is_working ? maskedSecret(key) : null
  // Without a tenant, only the first step has a form to lead to.
  const ofTenant = (to: '/users/create' | '/tasks/create', label: string) =>
    tenant ? { label, to, search: { tenant_id: tenant.id } } : undefined
  return [
    {
      title: 'Create a tenant',
      help: 'A client organization with its own assistant, users and API keys.',
      isDone: tenant !== null,
      link: { label: 'Create Tenant', to: '/tenants/create' },
    },
    {
      title: 'Add a user',
      help: `A person who manages ${name}.`,
      isDone: has_user,
      link: ofTenant('/users/create', 'Add User'),
    },
    {
      title: 'Generate an API key',
      help: `The assistant of ${name} sends the key with every call.`,
      isDone: has_key,
      link: tenant ? { label: 'Generate Key', to: '/keys', search: { generate: tenant.id } } : undefined,
    },
    {
      title: 'Make the first call',
      help: isRefused ? 'A call was refused. The page of the key says why.' : firstCallHelp(secret),
      isDone: calls === 'accepted',
      link: isRefused && key ? { label: 'Open Key', to: '/keys', search: { key: key.id } } : undefined,
      ...(key &&
        secret !== null && {
          example: firstCall(ai_api_url, secret, key.allowed_origin === null ? [] : [key.allowed_origin]),
        }),
    },
    {
      title: 'Schedule a task',
      help: `Pulls the Google reviews of ${name}.`,
      isDone: has_task,
      link: ofTenant('/tasks/create', 'Schedule Task'),
    },
  ]
}

/** Without a masked secret, there is no key to call with. */
function firstCallHelp(secret: string | null): string {
  return secret === null
    ? 'Done as soon as the AI API accepts a key.'
    : `Done as soon as the AI API accepts a key. The command checks the key as your gateway does: put its secret in place of ${secret}.`
}
