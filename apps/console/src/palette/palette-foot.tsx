import type { UseQueryResult } from '@tanstack/react-query'
import { messageOf } from '#src/lib/call-error.ts'
import css from './palette-dialog.module.css'
import type { Entry } from './entry.ts'

type Props = {
  /** `null`: the second step, whose entries are actions. */
  term: string | null
  isEmpty: boolean
  isSearching: boolean
  failed: UseQueryResult | null
  /** The current record, if it has actions. */
  record: Entry | null
  onActions: (entry: Entry) => void
}

/** The line below the list: a failure, no results, or what can be pasted; and the key for the current record. */
export function PaletteFoot({ term, isEmpty, isSearching, failed, record, onActions }: Props) {
  return (
    <div className={css.foot}>
      <output>
        {failed ? (
          messageOf(failed.error, 'The search failed.')
        ) : term === null ? (
          isEmpty ? (
            'No such action.'
          ) : (
            'Choose an action, or go back to the results.'
          )
        ) : isEmpty ? (
          <Nothing term={term} isSearching={isSearching} />
        ) : (
          'Paste an ID, or a secret or a part of it, to find its owner.'
        )}
      </output>
      {failed && (
        <button type="button" className={css.retry} onClick={() => void failed.refetch()}>
          Try Again
        </button>
      )}
      {record && !failed && (
        <button
          type="button"
          className={css.actions}
          tabIndex={-1}
          aria-label={`Actions for ${record.label}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onActions(record)}
        >
          Actions <kbd className={css.key}>→</kbd>
        </button>
      )}
    </div>
  )
}

function Nothing({ term, isSearching }: { term: string; isSearching: boolean }) {
  if (isSearching) return 'Searching…'
  return (
    <>
      No results for “<bdi>{term}</bdi>”.
      <br />
      The search looks at names, emails, subdomains, notes, places, keys and IDs from 8 characters on.
    </>
  )
}
