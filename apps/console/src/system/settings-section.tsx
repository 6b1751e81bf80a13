import { Button } from '@mantine/core'
import type { SystemReport, SystemSetting } from '@switchboard/contract/system'
import { useId, useState } from 'react'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { sourceText, valueText } from './system-labels.ts'
import css from './settings-section.module.css'

const COLUMNS: Column<SystemSetting>[] = [
  { head: 'Name', cell: ({ name }) => <code className={css.code}>{name}</code>, skeleton: '60%' },
  { head: 'Value', cell: (setting) => <Value setting={setting} />, width: '50%', skeleton: '40%' },
  {
    head: 'Source',
    cell: (setting) => <span className={css.source}>{sourceText(setting)}</span>,
    width: '20%',
    skeleton: '70%',
  },
]

/** The settings of the server that answered, without secrets: those that were set, or all. */
export function SettingsSection({ report }: { report: SystemReport | undefined }) {
  const id = useId()
  const [isAll, setIsAll] = useState(false)
  const settings = report?.settings.filter(({ source }) => isAll || source !== 'default')
  return (
    <section aria-labelledby={id}>
      <div className={css.head}>
        <div>
          <h2 id={id} className={css.title}>
            Settings
          </h2>
          <p className={css.help}>
            The settings of the admin-api that answered. A secret is only said to be set. A change needs a restart.
          </p>
        </div>
        <Button variant="default" className={css.toggle} aria-expanded={isAll} onClick={() => setIsAll(!isAll)}>
          {isAll ? 'Show Fewer' : 'Show All'}
        </Button>
      </div>
      {settings?.length === 0 ? (
        <p className={css.source}>No setting was set: all have their default values.</p>
      ) : (
        <DataTable
          label="Settings"
          columns={COLUMNS}
          rows={settings}
          rowId={({ name }) => name}
          nameOf={({ name }) => name}
          busy={false}
          renderPhoneRow={(setting) => (
            <>
              <code className={css.code}>{setting.name}</code>
              <div className={css.second}>
                <Value setting={setting} /> · {sourceText(setting)}
              </div>
            </>
          )}
          footer={null}
        />
      )}
    </section>
  )
}

function Value({ setting }: { setting: SystemSetting }) {
  const text = valueText(setting)
  return setting.value === null ? <span className={css.source}>{text}</span> : <span className={css.value}>{text}</span>
}
