import { Button } from '@mantine/core'
import type { PreviewPromptBody } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { CopyButton } from '#src/ui/button/copy-button.tsx'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { rowsOf } from '#src/ui/form/name-values.ts'
import { TYPE_OPTIONS } from '#src/tenants/tenant-labels.ts'
import css from './preview-dialog.module.css'
import { previewQuery } from './prompts.api.ts'

type Props = { body: PreviewPromptBody; tenantName: string | null; onClose: () => void }

/** A rendered template, as plain text. */
export function PreviewDialog({ body, tenantName, onClose }: Props) {
  const preview = useQuery(previewQuery(body))
  const values = preview.data?.variables
  return (
    <Dialog title="Base Template Preview" size="lg" onClose={onClose}>
      <DialogMain>
        <div className="stack" aria-busy={preview.isPending}>
          {preview.isError && (
            <Notice tone="bad">{messageOf(preview.error, 'The template could not be rendered.')}</Notice>
          )}
          {values && (
            <dl className={css.values}>
              {tenantName !== null && (
                <div>
                  <dt>Tenant</dt>
                  <dd dir="auto">{tenantName}</dd>
                </div>
              )}
              <div>
                <dt>Goal</dt>
                <dd dir="auto">{values.goal === '' ? '(empty)' : values.goal}</dd>
              </div>
              <div>
                <dt>Business Type</dt>
                <dd>{TYPE_OPTIONS.find(({ value }) => value === values.tenant_type)?.label}</dd>
              </div>
              <div>
                <dt>Aggressiveness</dt>
                <dd>{values.aggressiveness.toFixed(1)}</dd>
              </div>
              {rowsOf(values.declared_variables).map(({ name, value }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd dir="auto">{value === '' ? '(empty)' : value}</dd>
                </div>
              ))}
            </dl>
          )}
          {!preview.isError && (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable: the keyboard must reach it
            <section className={css.text} aria-label="Rendered template" tabIndex={0} dir="auto">
              {preview.data?.rendered_content}
            </section>
          )}
        </div>
      </DialogMain>
      <DialogFooter>
        {preview.data && <CopyButton text={preview.data.rendered_content} noun="text" />}
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  )
}
