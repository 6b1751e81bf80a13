import { type DeclaredVariables, VARIABLE_NAME_MAX, VARIABLE_VALUE_MAX } from '@switchboard/contract/prompts/variables'
import { Suspense } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { type NameValue, rowsOf } from '#src/ui/form/name-values.ts'
import css from './declared-variables-list.module.css'
import { type Draft, variableProblems } from './draft.ts'

const NameValueRows = lazyPart(() => import('#src/ui/form/name-value-rows.tsx').then((code) => code.NameValueRows))

type Props = {
  declared: DeclaredVariables
  /** Both are absent in the read-only view. */
  draft?: Draft
  onChange?: (rows: NameValue[]) => void
}

/** The variables that programs may pass when they read a prompt, with their defaults. */
export function DeclaredVariablesList({ declared, draft, onChange }: Props) {
  return (
    <section className={css.list} aria-label="Declared variables">
      {draft && onChange ? (
        <Suspense>
          <Rows rows={draft.variables} onChange={onChange} />
        </Suspense>
      ) : (
        <>
          <h3 className={css.title}>Declared variables</h3>
          <dl>
            {rowsOf(declared).map(({ name, value }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd dir="auto">{value === '' ? '(empty)' : value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p className="ink-3">
        {Object.keys(declared).length === 0 && !draft && 'None. '}
        Programs may pass a value for each when they read a prompt. Without one, the default is used.
      </p>
    </section>
  )
}

function Rows({ rows, onChange }: { rows: NameValue[]; onChange: (rows: NameValue[]) => void }) {
  const problems = variableProblems(rows)
  const change = (at: number, part: keyof NameValue, text: string) =>
    onChange(rows.map((row, n) => (n === at ? { ...row, [part]: text } : row)))
  return (
    <NameValueRows
      legend="Declared variables"
      noun="variable"
      valueLabel="Default"
      rows={rows}
      nameMax={VARIABLE_NAME_MAX}
      valueMax={VARIABLE_VALUE_MAX}
      input={(at, part) => ({
        value: rows[at]?.[part] ?? '',
        error: part === 'name' ? problems[at] : null,
        onChange: (event) => change(at, part, event.currentTarget.value),
      })}
      onAdd={() => onChange([...rows, { name: '', value: '' }])}
      onRemove={(at) => onChange(rows.toSpliced(at, 1))}
    />
  )
}
