import type { PromptTemplate } from '@switchboard/contract/prompts'
import type { ReactNode } from 'react'
import { Badge } from '#src/ui/page/badge.tsx'
import { fullText, relativeText } from '#src/lib/moment.ts'
import css from './template-head.module.css'

/** Template name, live version with its author, and actions. */
export function TemplateHead({ live, children }: { live: PromptTemplate; children: ReactNode }) {
  return (
    <div className={css.head}>
      <div>
        <h2 className={css.title}>
          {live.prompt_type} <Badge tone="accent">Version {live.version}</Badge>
        </h2>
        <p className={css.about}>
          {live.author_email === null ? 'Default template' : `Saved by ${live.author_email}`}{' '}
          <time dateTime={live.created_at} data-tooltip={fullText(live.created_at)}>
            {relativeText(live.created_at)}
          </time>
        </p>
      </div>
      <div className={css.actions}>{children}</div>
    </div>
  )
}
