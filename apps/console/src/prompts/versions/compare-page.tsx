import { Button } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { SubmitEvent } from 'react'
import fieldCss from '#src/ui/field/field.module.css'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import css from './compare-page.module.css'
import { VersionComparison } from './version-comparison.tsx'
import { comparisonOf, liveTextQuery, versionQuery } from '#src/prompts/prompts.api.ts'
import { ViewSwitch } from '#src/ui/comparison/view-switch.tsx'

/** Any two versions of the base template, or of a tenant's addendum, side by side. The URL holds their numbers. */
export function ComparePage() {
  const { tenantId } = useParams({ strict: false })
  const { view, ...requested } = comparisonOf(useSearch({ strict: false }))
  const navigate = useNavigate()
  const live = useQuery(liveTextQuery(tenantId))
  const newest = live.data?.version
  const { from, to = newest } = requested
  const versions = useQueries({
    queries: [from, to].map((number) => ({
      ...versionQuery(number ?? 1, tenantId),
      enabled: number !== undefined,
    })),
  })
  const [before, after] = versions.map(({ data }) => data)
  const failed = [live, ...versions].filter(({ isLoadingError }) => isLoadingError)

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const chosen = new FormData(event.currentTarget)
    const number = (name: string) => chosen.getAll(name).find((value) => typeof value === 'string')
    void navigate({ to: '.', search: (now) => ({ ...now, from: number('from'), to: number('to') }) })
  }

  return (
    <Page
      title="Compare versions"
      subtitle={to !== undefined && `Version ${from} and version ${to}${to === newest ? ', which is live' : ''}`}
      breadcrumb={
        <Breadcrumb>
          <Link to="/settings">Settings</Link>
          <Link to="/advanced-settings">Base Templates</Link>
          <span aria-current="page">Compare versions</span>
        </Breadcrumb>
      }
    >
      <div className={css.tools}>
        {tenantId !== undefined && (
          <Link to="/tenants/$tenantId/prompt" params={{ tenantId }} className="text-link target accent">
            Back to the prompt
          </Link>
        )}
        {/* A new instance for another pair, for example from a link or Back. */}
        <form key={`${from}-${to}`} className={css.pair} onSubmit={submit}>
          <VersionField name="from" label="Version" value={from} max={newest} />
          <VersionField name="to" label="with version" value={to} max={newest} />
          <Button type="submit" variant="default">
            Compare
          </Button>
        </form>
        <ViewSwitch
          view={view}
          onChange={(chosen) => void navigate({ to: '.', search: (now) => ({ ...now, view: chosen }), replace: true })}
        />
      </div>
      {failed.length > 0 ? (
        <LoadError title="The versions could not be loaded" queries={failed} />
      ) : before && after ? (
        <VersionComparison
          // Expanded lines belong to one pair.
          key={`${from}-${to}`}
          label={`From version ${before.version} to version ${after.version}`}
          before={before}
          after={after}
          view={view}
          heading="h2"
        />
      ) : (
        <p aria-busy>Loading versions...</p>
      )}
    </Page>
  )
}

type VersionFieldProps = { name: string; label: string; value: number | undefined; max: number | undefined }

function VersionField({ name, label, value, max }: VersionFieldProps) {
  return (
    <label className={css.field}>
      {label}
      <input
        name={name}
        type="number"
        min={1}
        max={max}
        step={1}
        required
        defaultValue={value}
        className={fieldCss.input}
      />
    </label>
  )
}
