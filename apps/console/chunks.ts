import path from 'node:path'
import type { Plugin } from 'vite'

/** The modules that go into one file of their own, by their names. */
const MODULES = {
  // What /login shares with the other screens,
  base: names(`
    main brand notice use-session scroll-into-view ActionIcon IconCircleCheck password-field submit-button TextInput`),
  // what these have in common, and their styles, most of which are smaller than the headers of a file,
  console: names(`
    session.api console-layout page announcement empty-state badge breadcrumb card data-table phone-row moment count
    useQuery useMutation queryOptions dashboard.api tenant-status schedule-names key-outcomes outcome-labels
    user-labels passwords IconRefresh IconPlayerPause IconChartBar
    pager.module filter-select.module list-tools.module tenant-filter-select.module search-select.module
    row-actions.module filter-chip.module form.module new-password-field.module tenants-table.module
    create-tenant-page.module users-table.module sample-maps-notice.module tasks-page.module tasks-table.module
    place-field.module frequency-field.module activity-table.module activity-tools.module actor-filter-select.module
    account.module preview-values.module prompt-card.module template-box.module template-head.module
    prompt-history.module prompts-page.module`),
  // all of them but / and /settings,
  lists: names(`
    list-table list-tools list-content empty-list created-filter tenant-select tenants.api tenant-filter-select
    users.api tenant-labels selection use-history-action day activity.api IconPlus IconTrash IconPencil`),
  // and a few.
  keys: names('api-keys.api api-key-labels'),
  tasks: names('tasks.api task-labels sample-maps-notice schedule-labels use-run-task-now IconPlayerPlay'),
  prompts: names('prompts.api useBlocker Textarea'),
}

/**
 * What a screen loads comes in ten files instead of in fifty to eighty: a phone asks for six at a time, and each time
 * costs it a round trip. Together they are smaller too, by a tenth. What a file imports goes with it, unless a group
 * further up has it; dialogs and the like, which are imported when they open, do not. By hand, because to share by how
 * many ask for a module puts the dialogs of all screens into each: 210 kB instead of 175.
 */
export const CHUNKS = [
  // Two of a size arrive side by side.
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  ...Object.entries(MODULES).map(([name, modules]) => ({
    name,
    test: (id: string) => modules.includes(nameOf(id)),
  })),
]

/** Ends the build when a module has gone or been renamed, so that the list above stays true. */
export function everyNameIsAModule(): Plugin {
  return {
    name: 'every-name-is-a-module',
    apply: 'build',
    generateBundle(_, bundle) {
      const built = new Set(
        Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds.map(nameOf) : [])),
      )
      const gone = Object.values(MODULES).flatMap((modules) => modules.filter((name) => !built.has(name)))
      if (gone.length > 0) this.error(`No module is called ${gone.join(', ')}: see chunks.ts.`)
    },
  }
}

function names(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** `IconPlus` of `…/icons/IconPlus.mjs`, `page` of `…/page.tsx`; nothing of what is no module of code or style. */
function nameOf(id: string): string {
  return /^(.+)\.(?:css|tsx?|m?js)$/.exec(path.basename(id))?.[1] ?? ''
}
