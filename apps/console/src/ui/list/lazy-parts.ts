import { lazyPart } from '#src/lib/lazy.tsx'

// Lazy-loaded parts of every list.

export const BulkBar = lazyPart(() => import('./bulk-bar.tsx').then((code) => code.BulkBar))
export const ExportDialog = lazyPart(() => import('./export-dialog.tsx').then((code) => code.ExportDialog))
