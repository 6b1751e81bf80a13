import { IconColumns3, IconDownload, IconRefresh, IconSquareCheck, IconUpload } from '@tabler/icons-react'
import { type LinkOptions, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Action } from '#src/ui/table/action.ts'
import { useRefresh } from './use-refresh.ts'

type Props = {
  /** Title of the list: "Tenants". */
  title: string
  /** Plural noun of the listed records: "tenants". */
  noun: string
  query: Parameters<typeof useRefresh>[0]
  /** Refetches other data of the page. */
  onRefresh?: (() => void) | undefined
  /** Absent for a list without an export. */
  onExport?: (() => void) | undefined
  /** The page that imports records from a file. */
  importTo?: LinkOptions['to'] | undefined
  /** Opens the choice of columns. Absent on a phone, which has no columns. */
  onColumns?: (() => void) | undefined
  /** Selects the rows of the page. Absent for a list without a selection. */
  onSelectAll?: (() => void) | undefined
  phoneActions?: Action[]
  children?: ReactNode
}

/** The rarer actions of a list in one menu: refresh, import, export and columns. */
export function ListActions({ title, noun, query, onRefresh, children, ...props }: Props) {
  const { onExport, importTo, onColumns, onSelectAll, phoneActions = [] } = props
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { label, announcement, refresh } = useRefresh(query, noun, onRefresh)
  const actions: (Action | false)[] = [
    { id: 'refresh', label, Icon: IconRefresh, capability: 'view', onSelect: refresh },
    importTo !== undefined && {
      label: 'Import CSV',
      Icon: IconUpload,
      capability: 'edit',
      onSelect: () => void navigate({ to: importTo }),
    },
    onExport !== undefined && { label: 'Export', Icon: IconDownload, capability: 'export', onSelect: onExport },
    onColumns !== undefined && { label: 'Columns', Icon: IconColumns3, capability: 'view', onSelect: onColumns },
    isPhone &&
      onSelectAll !== undefined && {
        label: 'Select All on This Page',
        Icon: IconSquareCheck,
        capability: 'view',
        onSelect: onSelectAll,
      },
    ...(isPhone ? phoneActions : []),
  ]
  return (
    <>
      <Announcement>{announcement}</Announcement>
      <MoreMenu label={title} actions={actions.filter((action) => action !== false)} />
      {children}
    </>
  )
}
