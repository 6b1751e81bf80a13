import { Button } from '@mantine/core'
import type { Attention, UntrustedProxy } from '@switchboard/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { useFittingItems } from '#src/ui/page/use-fitting-items.ts'
import { focusContainer } from '#src/ui/dialog/use-focus-return.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { type AttentionGroup, attentionGroups } from './attention-groups.ts'
import { AttentionRows } from './attention-rows.tsx'
import css from './attention-panel.module.css'

/** Width of the button that counts the groups beyond the end. */
const MORE_PX = 40

type Props = { query: UseQueryResult<Attention> }

const route = getRouteApi('/signed-in/')

/** Records that need attention, in groups of which one is open: first the worst, then the one in the URL. */
export function AttentionPanel({ query }: Props) {
  const id = useId()
  const attention = query.data
  const groups = attention === undefined ? [] : attentionGroups(attention)
  const { attention: chosen } = route.useSearch()
  const open = groups.find((group) => group.id === chosen) ?? groups[0]
  return (
    <section aria-labelledby={id} tabIndex={-1} className={css.card}>
      {attention && query.isError && <NotRefreshed query={query} />}
      {attention?.untrusted_proxy && <UntrustedProxyNotice proxy={attention.untrusted_proxy} />}
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          Needs attention
        </h2>
        {attention && !open && <p className={css.clear}>Nothing needs attention</p>}
        {open && <Tabs groups={groups} open={open} />}
      </div>
      {open && <AttentionRows group={open} />}
      {query.isError && !attention && (
        <LoadError plain title="The records that need attention could not be loaded" queries={[query]} />
      )}
    </section>
  )
}

/** On one line, unless the open group is beyond its end or all groups are wanted. */
function Tabs({ groups, open }: { groups: AttentionGroup[]; open: AttentionGroup }) {
  const navigate = route.useNavigate()
  const { fitting, watch } = useFittingItems(MORE_PX)
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole || groups.indexOf(open) >= fitting ? groups.length : fitting
  const rest = groups.slice(shown)
  return (
    <fieldset ref={watch} aria-label="Groups" className={`${css.tabs} ${rest.length === 0 ? css.whole : ''}`}>
      {groups.map((group, index) => (
        <button
          key={group.id}
          type="button"
          aria-pressed={group === open}
          className={`${css.tab} ${css[group.tone]} ${index < shown ? '' : css.beyond}`}
          onClick={() =>
            void navigate({
              search: (before) => ({ ...before, attention: group.id }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          <span className={css.count}>{group.count}</span> {group.noun}
        </button>
      ))}
      {rest.length > 0 && (
        <button
          type="button"
          data-more
          className={css.more}
          aria-label={`${rest.length} more`}
          data-tooltip={rest.map(({ count, noun }) => `${count} ${noun}`).join(', ')}
          onClick={({ currentTarget }) => {
            focusContainer(currentTarget)
            setIsWhole(true)
          }}
        >
          +{rest.length}
        </button>
      )}
    </fieldset>
  )
}

/** A proxy not trusted by the servers, with advice on the setting. */
function UntrustedProxyNotice({ proxy }: { proxy: UntrustedProxy }) {
  return (
    <div className={css.notice}>
      <Notice tone="warn">
        <strong>Visitors share one address</strong>
        <p>{proxy.advice}</p>
      </Notice>
    </div>
  )
}

function NotRefreshed({ query }: Props) {
  return (
    <div className={css.notice}>
      <Notice tone="bad">
        The records that need attention could not be refreshed. {messageOf(query.error, 'An error occurred')}
      </Notice>
      <Button
        variant="default"
        size="compact-md"
        loading={query.isFetching}
        onClick={({ currentTarget }) => {
          focusContainer(currentTarget)
          void query.refetch()
        }}
      >
        Try Again
      </Button>
    </div>
  )
}
