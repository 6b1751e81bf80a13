{{- define "switchboard.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "switchboard.selector" -}}
app.kubernetes.io/name: switchboard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "switchboard.labels" -}}
{{ include "switchboard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The parts of a pod that all servers and the migration share. The volumes are last: the workers have one more. */}}
{{- define "switchboard.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets
    secret: { secretName: {{ .Values.secretName | quote }}, defaultMode: 0440 }
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
{{- end }}

{{/* The parts of a container that all servers and the migration share. The mounts are last: the workers have one more. */}}
{{- define "switchboard.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - { name: OPS_HOST, value: 0.0.0.0 }
  - { name: DRAIN_SECONDS, value: {{ .Values.drainSeconds | quote }} }
  - { name: AI_API_URL, value: {{ printf "http://%s-ai-api:3001" (include "switchboard.name" .) | quote }} }
  {{- range .Values.secretKeys }}
  - { name: {{ . }}_FILE, value: /run/secrets/switchboard/{{ . }} }
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/switchboard, readOnly: true }
  - { name: tmp, mountPath: /tmp }
{{- end }}
