import { consoleSettings } from '#src/lib/console-settings.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import css from './sample-maps-notice.module.css'

/** Notice that places and reviews are sample data; empty with a Google key. */
export function SampleMapsNotice() {
  if (!consoleSettings.sample_maps) return null
  return (
    <p className={css.notice}>
      <Badge tone="info" text="Sample maps data" /> Places and reviews are made up, because no Google key is set.
    </p>
  )
}
