import type { SystemSetting } from '@switchboard/contract/system'
import { type Settings, shownSettings } from '@switchboard/server/settings/env'

/** The settings of this process for the System page, also the values that follow from other settings. */
export function settingsOfProcess(settings: Settings): SystemSetting[] {
  const derived: Record<string, string> = {
    BACKUP_DIR: settings.backupDir,
    DEFAULT_ALLOWED_ORIGIN: settings.defaultAllowedOrigin,
    DRAIN_SECONDS: String(settings.drainSeconds),
    GOOGLE_PHOTOS_URL: settings.googlePhotosUrl,
    GOOGLE_PLACES_URL: settings.googlePlacesUrl,
    SECURITY_CONTACT: settings.securityContact,
  }
  return shownSettings().map((setting) => ({ ...setting, value: setting.value ?? derived[setting.name] ?? null }))
}
