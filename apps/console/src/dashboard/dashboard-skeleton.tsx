import page from './dashboard-page.module.css'
import css from './dashboard-skeleton.module.css'
import tiles from './dashboard-tiles.module.css'
import { Section } from '#src/ui/card/section.tsx'
import cards from './stat-card.module.css'

/** Placeholder of the dashboard with the same layout, to avoid a layout shift. Announced to screen readers. */
export function DashboardSkeleton() {
  return (
    <div className={page.parts} aria-hidden>
      <Section title="Needs attention">
        <div className={css.attention} />
      </Section>
      <Section title="Trends">
        <div className={cards.cards}>
          <Block shape={css.trend} />
          <Block shape={css.trend} />
          <Block shape={css.trend} />
          <Block shape={css.trend} />
        </div>
      </Section>
      <Section title="User Management Overview">
        <Stats />
        <div className={tiles.three}>
          <Block shape={css.roles} />
          <Block shape={css.status} />
          <Block shape={css.top} />
        </div>
      </Section>
      <Section title="Client/Tenant Analysis">
        <Stats />
        <div className={tiles.two}>
          <Block shape={css.status} />
          <Block shape={css.growth} />
        </div>
      </Section>
    </div>
  )
}

function Stats() {
  return (
    <div className={cards.cards}>
      <Block shape={css.stat} />
      <Block shape={css.stat} />
      <Block shape={css.stat} />
      <Block shape={css.stat} />
    </div>
  )
}

function Block({ shape }: { shape: string | undefined }) {
  return (
    <div className={`${css.block} ${shape}`}>
      <span className={css.short} />
      <span className={css.long} />
    </div>
  )
}
