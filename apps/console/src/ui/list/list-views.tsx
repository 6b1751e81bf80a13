import type { ListView, ViewedList } from '@switchboard/contract/list-views'
import {
  IconPencil,
  IconPlus,
  IconReplace,
  IconStar,
  IconStarOff,
  IconTrash,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { listViewsQuery, useUpdateView } from '#src/lists/list-views.api.ts'
import { NO_VIEW, searchOfView, viewSearch } from '#src/lists/view-search.ts'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Action } from '#src/ui/table/action.ts'
import css from './list-views.module.css'

const SaveViewDialog = lazyPart(() => import('./save-view-dialog.tsx').then((code) => code.SaveViewDialog))
const DeleteViewDialog = lazyPart(() => import('./save-view-dialog.tsx').then((code) => code.DeleteViewDialog))

/** Only the very address of a tab is current by itself: a changed view is still current. */
const EXACT = { exact: true, includeSearch: true }

type Props = {
  list: ViewedList
  /** Title of the list: "Tenants". */
  title: string
  /** The chosen columns that are not in the address. */
  columns: string | null
  /** Renders the number of rows of a view. */
  Total: (props: { search: Record<string, string> }) => ReactNode
}

/** The saved views of a list as tabs: all rows, then the views, and a button that saves the present one. */
export function ListViews({ list, title, columns, Total }: Props) {
  const { data: views } = useQuery(listViewsQuery(list))
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const canShare = useCan('edit')
  const isPhone = useIsPhone()
  const { mutate: update } = useUpdateView()
  const [open, setOpen] = useState<'none' | 'save' | 'rename' | 'delete'>('none')
  const close = () => setOpen('none')
  const present = viewSearch(search, columns)
  const current = views?.find(({ id }) => id === search.saved)
  const standard = views?.find(({ is_default }) => is_default)

  const openDefault = useEffectEvent((view: ListView) => {
    void navigate({ to: '.', search: searchOfView(view), replace: true, resetScroll: false })
  })
  // A plain address of the list opens the default view; a link with filters does not.
  const isPlain = Object.keys(search).length === 0
  useEffect(() => {
    if (isPlain && standard !== undefined) openDefault(standard)
  }, [isPlain, standard])

  function change(view: ListView, body: Parameters<typeof update>[0]['body'], done: string) {
    update(
      { view, body },
      {
        onSuccess: () => notify('ok', done, { about: view.id }),
        onError: (error) =>
          notifyFailure(error, `The view ${view.name} could not be changed.`, {
            about: view.id,
            onRetry: () => change(view, body, done),
          }),
      },
    )
  }

  const actionsOf = (view: ListView): Action[] => [
    ...(view.is_shared && !canShare ? [] : editsOf(view)),
    {
      id: 'default',
      label: view.is_default ? `Do Not Open ${title} with This View` : `Open ${title} with This View`,
      Icon: view.is_default ? IconStarOff : IconStar,
      capability: 'view',
      onSelect: () =>
        change(
          view,
          { is_default: !view.is_default },
          view.is_default ? `${title} opens with all rows.` : `${title} opens with ${view.name}.`,
        ),
    },
    ...(view.is_shared && !canShare
      ? []
      : [
          {
            label: 'Delete',
            Icon: IconTrash,
            capability: 'view' as const,
            danger: true,
            onSelect: () => setOpen('delete'),
          },
        ]),
  ]

  function editsOf(view: ListView): Action[] {
    return [
      ...(view.search === present
        ? []
        : [
            {
              label: 'Save Changes to This View',
              Icon: IconReplace,
              capability: 'view' as const,
              onSelect: () =>
                change(view, { search: present }, `${view.name} has the present filters, order and columns.`),
            },
          ]),
      { label: 'Rename', Icon: IconPencil, capability: 'view', onSelect: () => setOpen('rename') },
      ...(canShare
        ? [
            {
              id: 'share',
              label: view.is_shared ? 'Make Private' : 'Share with the Team',
              Icon: view.is_shared ? IconUser : IconUsers,
              capability: 'view' as const,
              refusal: view.is_shared && !view.is_own ? 'Only its owner can make it private.' : null,
              onSelect: () =>
                change(
                  view,
                  { is_shared: !view.is_shared },
                  view.is_shared ? `Only you see ${view.name}.` : `Everyone sees ${view.name}.`,
                ),
            },
          ]
        : []),
    ]
  }

  // A phone has no room for a line with one tab.
  if (isPhone && !views?.length) return null
  return (
    <nav className={css.views} aria-label="Views">
      <Link
        to="."
        // All API keys stay in one list.
        search={{ view: search.view, saved: standard && NO_VIEW }}
        activeOptions={EXACT}
        className={css.view}
        aria-current={current === undefined ? 'page' : undefined}
      >
        All
      </Link>
      {views?.map((view) => (
        <Fragment key={view.id}>
          <Link
            to="."
            search={searchOfView(view)}
            activeOptions={EXACT}
            className={css.view}
            aria-current={view === current ? 'page' : undefined}
          >
            <bdi>{view.name}</bdi>
            <span className={css.count}>
              <Total search={searchOfView(view)} />
            </span>
          </Link>
          {view === current && <MoreMenu label={`the view ${view.name}`} actions={actionsOf(view)} />}
        </Fragment>
      ))}
      <button
        type="button"
        className="icon-button"
        aria-label="Save View"
        data-tooltip="Save the present filters, order and columns as a view"
        onPointerEnter={() => void SaveViewDialog.preload()}
        onClick={() => setOpen('save')}
      >
        <IconPlus size={16} aria-hidden />
      </button>
      <Suspense>
        {open === 'save' && <SaveViewDialog list={list} title={title} view={null} search={present} onClose={close} />}
        {open === 'rename' && current && (
          <SaveViewDialog list={list} title={title} view={current} search={current.search} onClose={close} />
        )}
        {open === 'delete' && current && <DeleteViewDialog view={current} onClose={close} />}
      </Suspense>
    </nav>
  )
}
