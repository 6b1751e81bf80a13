import { AttentionSkeleton } from './attention-panel.tsx'
import panel from './attention-panel.module.css'
import page from './dashboard-page.module.css'
import css from './dashboard-skeleton.module.css'
import tiles from './dashboard-tiles.module.css'
import { Section } from './section.tsx'
import cards from './stat-card.module.css'

/** The dashboard in the shape of what comes, so that little moves when it does. Readers hear that it loads. */
export function DashboardSkeleton() {
  return (
    <div className={page.parts} aria-hidden>
      <Section title="Needs attention">
        <div className={panel.card}>
          <AttentionSkeleton />
        </div>
      </Section>
      <Section title="User Management Overview">
        <Blocks className={cards.cards} count={4} shape={css.stat} />
        <Blocks className={tiles.three} count={3} shape={css.tall} />
      </Section>
      <Section title="Client/Tenant Analysis">
        <Blocks className={cards.cards} count={4} shape={css.stat} />
        <Blocks className={tiles.two} count={2} shape={css.growth} />
      </Section>
    </div>
  )
}

type Props = { className: string | undefined; count: number; shape: string | undefined }

function Blocks({ className, count, shape }: Props) {
  return (
    <div className={className}>
      {Array.from({ length: count }, (_, n) => (
        <div key={n} className={`${css.block} ${shape}`}>
          <span className={css.short} />
          <span className={css.long} />
        </div>
      ))}
    </div>
  )
}
