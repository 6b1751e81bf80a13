import { useDebouncedValue } from '@mantine/hooks'
import type { PromptTemplate } from '@switchboard/contract/prompts'
import { promptText } from '@switchboard/contract/prompts/tenant-prompts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { Card } from '#src/ui/card/card.tsx'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { previewQuery } from './prompts.api.ts'
import css from './rendered-prompt.module.css'
import { CHECK_AFTER_MS } from './use-template-check.ts'

type Props = {
  tenantId: string
  base: PromptTemplate
  addendum: string
  /** The version of the addendum; null for a draft. */
  version: number | null
}

/** The base template and an addendum, rendered for a tenant as one text. It follows a draft. */
export function RenderedPrompt({ tenantId, base, addendum, version }: Props) {
  const box = useRef<HTMLElement>(null)
  const [settled] = useDebouncedValue(addendum, CHECK_AFTER_MS)
  const hasAddendum = settled.trim() !== ''
  const template = useQuery(previewQuery({ template: base.template, tenant_id: tenantId }))
  const own = useQuery({
    ...previewQuery({ template: settled, tenant_id: tenantId }),
    enabled: hasAddendum,
    placeholderData: keepPreviousData,
  })
  const ownText = hasAddendum ? (own.data?.rendered_content ?? '') : ''
  useEffect(() => {
    if (version === null && ownText !== '') box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [version, ownText])

  return (
    <Card
      title="Rendered prompt"
      action={template.data && <CopyButton text={promptText(template.data.rendered_content, ownText)} noun="text" />}
    >
      {template.isError && <Notice tone="bad">{messageOf(template.error, 'The prompt could not be rendered.')}</Notice>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable: the keyboard must reach it */}
      <section ref={box} className={css.text} aria-label="Rendered text" tabIndex={0} aria-busy={template.isPending}>
        <p className={css.label}>
          <Link to="/advanced-settings" className="text-link target">
            Base template
          </Link>
          , version {base.version}
        </p>
        <div dir="auto">{template.data?.rendered_content.trimEnd()}</div>
        {hasAddendum && (
          <div className={css.own}>
            <p className={css.label}>Addendum, {version === null ? 'draft' : `version ${version}`}</p>
            <div dir="auto">{own.isError ? 'The addendum cannot be rendered.' : ownText}</div>
          </div>
        )}
      </section>
    </Card>
  )
}
