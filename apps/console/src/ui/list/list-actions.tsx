import { IconDownload, IconRefresh, IconSquareCheck, IconUpload } from '@tabler/icons-react'
import { type LinkOptions, useNavigate } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { RefreshButton, useRefresh } from './refresh-button.tsx'

type Props = {
  /** Title of the list: "Tenants". */
  title: string
  /** Plural noun of the listed records: "tenants". */
  noun: string
  query: Parameters<typeof useRefresh>[0]
  /** Refetches other data of the page. */
  onRefresh?: () => void
  /** Absent for a list without an export. */
  onExport?: () => void
  /** The page that imports records from a file. */
  importTo?: LinkOptions['to'] | undefined
  /** Selects the rows of the page. Absent for a list without a selection. */
  onSelectAll?: (() => void) | undefined
  /** Further actions for the menu of a phone. */
  phoneActions?: ComponentProps<typeof MoreMenu>['actions']
  /** The primary button of the page. */
  children?: ReactNode
}

/**
 * The actions in the head of a list: refresh and the primary button. On a phone, a menu has refresh, the export and
 * the selection of all rows.
 */
export function ListActions({ title, noun, query, onRefresh, children, ...props }: Props) {
  const { onExport, importTo, onSelectAll, phoneActions = [] } = props
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const refresh = useRefresh(query, noun, onRefresh)
  return (
    <>
      <Announcement>{refresh.announcement}</Announcement>
      {isPhone ? (
        <MoreMenu
          label={title}
          actions={[
            {
              label: refresh.asOf === null ? 'Refresh' : `Refresh (${refresh.asOf.toLowerCase()})`,
              Icon: IconRefresh,
              capability: 'view',
              onSelect: refresh.refresh,
            },
            ...(onExport
              ? [{ label: 'Export', Icon: IconDownload, capability: 'export' as const, onSelect: onExport }]
              : []),
            ...(importTo
              ? [
                  {
                    label: 'Import CSV',
                    Icon: IconUpload,
                    capability: 'edit' as const,
                    onSelect: () => void navigate({ to: importTo }),
                  },
                ]
              : []),
            ...(onSelectAll
              ? [
                  {
                    label: 'Select all on this page',
                    Icon: IconSquareCheck,
                    capability: 'view' as const,
                    onSelect: onSelectAll,
                  },
                ]
              : []),
            ...phoneActions,
          ]}
        />
      ) : (
        <RefreshButton {...refresh} />
      )}
      {children}
    </>
  )
}
