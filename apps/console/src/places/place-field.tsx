import { Button, TextInput } from '@mantine/core'
import { PLACE_ID_MAX } from '@switchboard/contract/places'
import type { TaskPlace } from '@switchboard/contract/tasks'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import type { FoundPlace } from './place-id-dialog.tsx'
import css from './place-field.module.css'

const PlaceIdDialog = lazyPart(() => import('./place-id-dialog.tsx').then((code) => code.PlaceIdDialog))

type Props = {
  value: TaskPlace
  error: ReactNode
  /** While the form is being saved nothing else is opened over what the answer may say. */
  busy: boolean
  onChange: (place: TaskPlace) => void
  /** Shows `PlaceLookUp`: not from here, because one dialog must not stand in another. */
  onLookUp: () => void
}

/** A Google Place ID: typed, or found by name and city. What was found stands below it. */
export function PlaceField({ value, error, busy, onChange, onLookUp }: Props) {
  return (
    <div className={css.field}>
      <TextInput
        label="Google Place ID"
        description={<PlaceHint place={value} />}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={value.place_id}
        maxLength={PLACE_ID_MAX}
        error={error}
        required
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        classNames={{ root: css.input, input: css.id }}
        // What was found belongs to the id that was found.
        onChange={(event) => onChange({ place_id: event.currentTarget.value.trim() })}
      />
      <Button
        variant="default"
        className={css.generate}
        disabled={busy}
        onPointerEnter={() => void PlaceIdDialog.preload?.()}
        onClick={onLookUp}
      >
        Generate Place ID
      </Button>
    </div>
  )
}

type LookUpProps = {
  tenantName: string
  /** What the place was last looked up by. */
  query?: string | undefined
  onFound: (place: TaskPlace) => void
  onCancel: () => void
}

/** The dialog that finds a place for the field. */
export function PlaceLookUp({ onFound, query, ...props }: LookUpProps) {
  return (
    <Suspense>
      <PlaceIdDialog {...props} query={query} onFound={(found) => onFound(placeOf(found))} />
    </Suspense>
  )
}

/** What is kept of a place that was looked up; Google may leave its name or address out. */
function placeOf({ place_id, name, address, query }: FoundPlace): TaskPlace {
  return {
    place_id,
    query,
    ...(name !== null && { place_name: name }),
    ...(address !== null && { place_address: address }),
  }
}

function PlaceHint({ place: { place_name, place_address } }: { place: TaskPlace }) {
  if (place_name === undefined) return 'The place whose reviews are pulled.'
  return (
    <span className={css.found} dir="auto">
      <b>{place_name}</b> {place_address}
    </span>
  )
}
