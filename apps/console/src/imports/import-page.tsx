import { Button } from '@mantine/core'
import { IMPORT_COLUMNS_MAX, IMPORT_FILE_MAX_MB, IMPORT_ROWS_MAX } from '@switchboard/contract/wire/imports'
import { Link } from '@tanstack/react-router'
import { type ChangeEvent, useId, useState } from 'react'
import { counted, countText, titleCase } from '#src/lib/format/count.ts'
import { notify } from '#src/lib/notify.ts'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { ProgressBar } from '#src/ui/dialog/progress-bar.tsx'
import { useLeaveGuard } from '#src/ui/form/use-leave-guard.ts'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { Card } from '#src/ui/card/card.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { ColumnMatching } from './column-matching.tsx'
import css from './import-page.module.css'
import { ImportResults } from './import-results.tsx'
import { type ImportedNoun, IMPORTED_TENANTS, IMPORTED_USERS } from './imported-nouns.ts'
import { matchColumns, type Matching, rowsOfTable } from './match-columns.ts'
import { readTable, type Table } from './read-table.ts'
import { type ImportPhase, useImport } from './use-import.ts'

export function ImportTenantsPage() {
  return <ImportPage noun={IMPORTED_TENANTS} />
}

export function ImportUsersPage() {
  return <ImportPage noun={IMPORTED_USERS} />
}

/** Imports a CSV file in three steps: file, columns, and rows with the result of each. The file stays in the browser. */
function ImportPage({ noun }: { noun: ImportedNoun }) {
  const [table, setTable] = useState<Table | null>(null)
  const [matching, setMatching] = useState<Matching>({})
  const run = useImport(noun)
  const { phase, results } = run
  const nouns = `${noun.noun}s`
  const isBusy = phase.kind === 'checking' || phase.kind === 'importing'
  const pending = results.filter(({ isDone }) => !isDone).length
  useLeaveGuard(
    () => phase.kind === 'importing',
    () => {
      notify('bad', 'Stop the import before leaving.')
      return false
    },
  )

  function open(next: Table | null) {
    run.reset()
    setTable(next)
    if (next !== null) setMatching(matchColumns(next.head, noun.columns))
  }

  return (
    <Page
      title={noun.title}
      subtitle={`Creates the ${nouns} of a CSV file. Existing ${nouns} stay as they are.`}
      breadcrumb={
        <Breadcrumb>
          <Link to={noun.list}>{noun.list === '/tenants' ? 'Tenants' : 'Users'}</Link>
          {noun.title}
        </Breadcrumb>
      }
    >
      <div className={css.steps}>
        <FileCard isDisabled={isBusy} onOpen={open} />
        {table !== null && (
          <Card title="Columns" help="The column of the file with each value.">
            <ColumnMatching
              columns={noun.columns}
              table={table}
              matching={matching}
              isDisabled={isBusy}
              onChange={(changed) => {
                run.reset()
                setMatching(changed)
              }}
            />
            <div className={css.buttons}>
              <Button
                variant={phase.kind === 'idle' ? 'filled' : 'default'}
                disabled={isBusy || noun.columns.some(({ name, isRequired }) => isRequired && matching[name] === null)}
                onClick={() => void run.check(rowsOfTable(table, noun, matching))}
              >
                Check {counted(table.rows.length, 'Row')}
              </Button>
            </div>
          </Card>
        )}
        {table !== null && phase.kind !== 'idle' && (
          <Card title="Rows">
            <div ref={scrollIntoView} className="stack">
              <Progress phase={phase} noun={noun} done={results.length} total={table.rows.length} />
              {noun.note !== undefined && pending > 0 && !isBusy && <p>{noun.note}</p>}
              {phase.kind !== 'checking' && (
                <div className={css.buttons}>
                  {pending > 0 && !isBusy && (
                    <Button onClick={() => void run.start()}>Import {counted(pending, titleCase(noun.noun))}</Button>
                  )}
                  {phase.kind === 'imported' && (
                    <ButtonLink to={noun.list} variant="default">
                      Show {titleCase(nouns)}
                    </ButtonLink>
                  )}
                </div>
              )}
              {isBusy && (
                <div className={css.buttons}>
                  <Button variant="default" onClick={run.stop}>
                    Stop
                  </Button>
                </div>
              )}
              {results.length > 0 && !isBusy && <ImportResults results={results} />}
            </div>
          </Card>
        )}
      </div>
    </Page>
  )
}

/** Chooses a file and reads it. */
function FileCard({ isDisabled, onOpen }: { isDisabled: boolean; onOpen: (table: Table | null) => void }) {
  const id = useId()
  const [problem, setProblem] = useState<string | null>(null)

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget
    const [file] = input.files ?? []
    if (file === undefined) return
    onOpen(null)
    setProblem(null)
    const read = await readTable(file)
    // A second file may have been chosen in the meantime.
    if (input.files?.[0] !== file) return
    if ('problem' in read) setProblem(read.problem)
    else onOpen(read)
  }

  return (
    <Card title="File">
      <label htmlFor={id} className={css.label}>
        CSV file
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        className={css.file}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => void choose(event)}
      />
      <p id={`${id}-hint`} className={css.hint}>
        Text in UTF-8 with the names of its columns in the first line, such as an exported file. Up to{' '}
        {countText(IMPORT_ROWS_MAX)} rows, {IMPORT_COLUMNS_MAX} columns and {IMPORT_FILE_MAX_MB} MB.
      </p>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </Card>
  )
}

type ProgressProps = { phase: ImportPhase; noun: ImportedNoun; done: number; total: number }

function Progress({ phase, noun, done, total }: ProgressProps) {
  switch (phase.kind) {
    case 'idle':
    case 'checked':
      return null
    case 'checking':
      return <ProgressBar label="Checking the rows" done={done} total={total} unit="row" />
    case 'importing':
      return (
        <>
          <ProgressBar label={noun.title} done={phase.done} total={phase.total} unit={noun.noun} />
          <p>
            Keep this page open. After a closed tab, choose the same file again: what is imported stays, and only the
            missing {noun.noun}s are created.
          </p>
        </>
      )
    case 'imported':
      return (
        <Notice tone="ok">{`${counted(phase.created, noun.noun)} ${phase.created === 1 ? 'was' : 'were'} created.`}</Notice>
      )
    case 'stopped':
      return (
        <Notice tone="warn">{`Stopped. ${counted(phase.created, noun.noun)} ${phase.created === 1 ? 'was' : 'were'} created.`}</Notice>
      )
    case 'failed':
      return <Notice tone="bad">{phase.message}</Notice>
  }
}
