{{- define "switchboard.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "switchboard.selector" -}}
app.kubernetes.io/name: switchboard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "switchboard.labels" -}}
{{ include "switchboard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The parts of a pod that all servers and jobs share. The volumes are last: some pods have one more. */}}
{{- define "switchboard.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . | quote }}
{{- end }}
{{- range $part := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $.Values $part }}
{{ $part }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
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
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* A changed Secret changes this annotation, so that the pods are replaced. It needs a cluster: `helm template` sees none. */}}
{{- define "switchboard.annotations" -}}
checksum/secret: {{ get (lookup "v1" "Secret" .Release.Namespace .Values.secretName) "data" | toJson | sha256sum }}
{{- with .Values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The parts of a container that all pods share. The environment and the mounts follow: some pods have one more. */}}
{{- define "switchboard.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default (.Chart.AppVersion | replace "+" "_")) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "switchboard.env" -}}
- { name: OPS_HOST, value: 0.0.0.0 }
- { name: DRAIN_SECONDS, value: {{ .Values.drainSeconds | quote }} }
- { name: AI_API_URL, value: {{ printf "http://%s-ai-api:3001" (include "switchboard.name" .) | quote }} }
{{- range .Values.secretKeys }}
- { name: {{ . }}_FILE, value: /run/secrets/switchboard/{{ . }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "switchboard.mounts" -}}
- { name: secrets, mountPath: /run/secrets/switchboard, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}
