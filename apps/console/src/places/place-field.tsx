import { Button, TextInput } from '@mantine/core'
import { PLACE_ID_MAX } from '@switchboard/contract/places/place-id'
import type { TaskPlace } from '@switchboard/contract/tasks'
import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import css from './place-field.module.css'

const PlaceIdDialog = lazyPart(() => import('./place-id-dialog.tsx').then((code) => code.PlaceIdDialog))

type Props = Control<TaskPlace> & {
  /** Opens `PlaceLookUp`. The form renders the dialog, so that no form contains another form. */
  onLookUp: () => void
}

/** A Google Place ID, typed or looked up by name and city, with the place below. */
export function PlaceField({ value, error, disabled, onChange, onLookUp }: Props) {
  return (
    <div className={css.field}>
      <TextInput
        label="Google Place ID"
        description={<PlaceHint place={value} />}
        value={value.place_id}
        maxLength={PLACE_ID_MAX}
        error={error}
        disabled={disabled}
        required
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        classNames={{ root: 'grow', input: 'mono' }}
        // The name and address belong to the looked-up ID only.
        onChange={(event) => onChange({ place_id: event.currentTarget.value.trim() })}
      />
      <Button
        variant="default"
        className={css.generate}
        disabled={disabled}
        onPointerEnter={() => void PlaceIdDialog.preload?.()}
        onClick={onLookUp}
      >
        Generate Place ID
      </Button>
    </div>
  )
}

/** The dialog that looks up a place for the form. */
export function PlaceLookUp(props: ComponentProps<typeof PlaceIdDialog>) {
  return (
    <Suspense>
      <PlaceIdDialog {...props} />
    </Suspense>
  )
}

function PlaceHint({ place: { place_name, place_address } }: { place: TaskPlace }) {
  if (place_name === undefined) return 'The place whose reviews are pulled.'
  return (
    <span className={css.found} dir="auto">
      <b>{place_name}</b> {place_address}
    </span>
  )
}
