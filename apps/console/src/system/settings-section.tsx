import { Button } from '@mantine/core'
import type { SystemReport, SystemSetting } from '@switchboard/contract/system'
import { useState } from 'react'
import { Section } from '#src/ui/card/section.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { sourceText, valueText } from './system-labels.ts'

const COLUMNS: Column<SystemSetting>[] = [
  { head: 'Name', cell: ({ name }) => <code className="wrap">{name}</code>, skeleton: '60%' },
  { head: 'Value', cell: (setting) => <Value setting={setting} />, width: '50%', skeleton: '40%' },
  {
    head: 'Source',
    cell: (setting) => <span className="ink-3">{sourceText(setting)}</span>,
    width: '20%',
    skeleton: '70%',
  },
]

/** The settings of the server that answered, without secrets: those that were set, or all. */
export function SettingsSection({ report }: { report: SystemReport | undefined }) {
  const [isAll, setIsAll] = useState(false)
  const settings = report?.settings.filter(({ source }) => isAll || source !== 'default')
  return (
    <Section
      title="Settings"
      help="The settings of the admin-api that answered. Secrets are not shown, only that they are set. A change needs a restart."
      action={
        <Button variant="default" aria-expanded={isAll} onClick={() => setIsAll(!isAll)}>
          {isAll ? 'Show Fewer' : 'Show All'}
        </Button>
      }
    >
      {settings?.length === 0 ? (
        <p className="ink-3">No setting was set: all have their default values.</p>
      ) : (
        <DataTable
          label="Settings"
          columns={COLUMNS}
          rows={settings}
          rowId={({ name }) => name}
          nameOf={({ name }) => name}
          renderPhoneRow={(setting) => (
            <>
              <code className="wrap">{setting.name}</code>
              <div className="second-line">
                <Value setting={setting} /> · {sourceText(setting)}
              </div>
            </>
          )}
        />
      )}
    </Section>
  )
}

function Value({ setting }: { setting: SystemSetting }) {
  const text = valueText(setting)
  return setting.value === null ? <span className="ink-3">{text}</span> : <span className="wrap">{text}</span>
}
