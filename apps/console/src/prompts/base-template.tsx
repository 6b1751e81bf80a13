import { Button } from '@mantine/core'
import type { PromptTemplate } from '@switchboard/contract/prompts'
import { Suspense, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { contentOf } from './draft.ts'
import { PreviewValues } from './preview-values.tsx'
import { PromptCard } from './prompt-card.tsx'
import { previewBody, PREVIEW_DEFAULTS, type PreviewInput } from './prompts.api.ts'
import { useDraft } from './use-draft.ts'

const PreviewDialog = lazyPart(() => import('./preview-dialog.tsx').then((code) => code.PreviewDialog))

/** The base template or its draft, with previews for a goal or a tenant. */
export function BaseTemplate({ live, userId }: { live: PromptTemplate; userId: string }) {
  const editing = useDraft(userId)
  const { draft } = editing
  const [input, setInput] = useState<PreviewInput>(PREVIEW_DEFAULTS)
  const [isPreviewOpen, setIsPreviewOpen] = useState(false)
  const content = draft ? contentOf(draft) : live
  const preview = (label: string) => (
    <Button variant="default" onClick={() => setIsPreviewOpen(true)}>
      {label}
    </Button>
  )
  return (
    <PromptCard title={live.prompt_type} live={live} editing={editing} actions={preview('Preview')}>
      <PreviewValues declared={content.declared_variables} input={input} onChange={setInput}>
        {draft !== null && preview('Preview Draft')}
      </PreviewValues>
      <Suspense>
        {isPreviewOpen && (
          <PreviewDialog
            body={previewBody(content, input)}
            tenantName={input.tenant?.name ?? null}
            onClose={() => setIsPreviewOpen(false)}
          />
        )}
      </Suspense>
    </PromptCard>
  )
}
