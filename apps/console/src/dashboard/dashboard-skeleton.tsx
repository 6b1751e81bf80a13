import page from './dashboard-page.module.css'
import css from './dashboard-skeleton.module.css'
import panel from './panel.module.css'
import { Section } from '#src/ui/card/section.tsx'

/** Placeholder of the dashboard with the same layout, to avoid a layout shift. Hidden from screen readers. */
export function DashboardSkeleton() {
  return (
    <div className={page.parts} aria-hidden>
      <Block shape={css.attention} />
      <div className={panel.columns}>
        {['User Management Overview', 'Client/Tenant Analysis'].map((title) => (
          <Section key={title} title={title}>
            <div className={panel.panel}>
              <Figure />
              <Figure />
              <Figure />
              <Figure />
              <div className={css.rest} />
            </div>
          </Section>
        ))}
      </div>
      <Block shape={css.chart} />
    </div>
  )
}

function Block({ shape }: { shape: string | undefined }) {
  return (
    <div className={`${css.block} ${shape}`}>
      <span className={css.short} />
    </div>
  )
}

function Figure() {
  return (
    <div className={css.figure}>
      <span className={css.short} />
      <span className={css.long} />
    </div>
  )
}
