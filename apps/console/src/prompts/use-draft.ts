import { useState } from 'react'
import { type Draft, isChanged, storeDraft, storedDraft } from './draft.ts'

export type DraftState = ReturnType<typeof useDraft>

/** The draft of the base template, or of a tenant's addendum. This tab keeps the draft, even across a reload. */
export function useDraft(userId: string, tenantId?: string) {
  const [draft, setDraft] = useState(() => storedDraft(userId, tenantId))
  const [isRestored, setIsRestored] = useState(draft !== null)
  return {
    draft,
    /** Whether the draft is from before a reload. */
    isRestored,
    change: (next: Draft | null) => {
      setDraft(next)
      setIsRestored(false)
      storeDraft(userId, tenantId, next !== null && isChanged(next) ? next : null)
    },
  }
}
