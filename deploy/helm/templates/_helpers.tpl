{{- define "tessera.name" -}}
{{- if contains "tessera" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-tessera" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tessera.selector" -}}
app.kubernetes.io/name: tessera
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tessera.labels" -}}
{{ include "tessera.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tessera.account" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "tessera.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "tessera.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "tessera.scheme" -}}
{{- if .Values.tlsSecret }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{- /* What cannot work is refused before anything is installed. */ -}}
{{- define "tessera.check" -}}
{{- if and (eq .Values.database "postgres") (not .Values.postgres.urlSecret.name) }}
{{- fail "postgres.urlSecret.name is missing: name a Secret that holds the URL of the database" }}
{{- end }}
{{- if and (eq .Values.database "postgres") (not .Values.masterKeySecret.name) }}
{{- fail "masterKeySecret.name is missing: servers of one PostgreSQL share a master key; make one with openssl rand -base64 32" }}
{{- end }}
{{- if and (not .Values.tlsSecret) (ne (toString (index .Values.options "allow-insecure")) "true") }}
{{- fail "tlsSecret is missing: name a Secret of type kubernetes.io/tls, or set options.allow-insecure to true where a proxy speaks TLS" }}
{{- end }}
{{- end }}

{{- define "tessera.pod" -}}
metadata:
  labels:
    {{- include "tessera.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "tessera.account" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: tessera
      image: {{ include "tessera.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      env:
        - name: TESSERA_LISTEN
          value: "0.0.0.0:8500"
        - name: TESSERA_DATA_DIR
          value: /data
        {{- if eq .Values.database "postgres" }}
        - name: TESSERA_DATABASE
          valueFrom:
            secretKeyRef:
              name: {{ .Values.postgres.urlSecret.name }}
              key: {{ .Values.postgres.urlSecret.key }}
        {{- end }}
        {{- if .Values.masterKeySecret.name }}
        - name: TESSERA_KEY_FILE
          value: /run/tessera/key/master-key
        {{- end }}
        {{- if .Values.tlsSecret }}
        - name: TESSERA_TLS_CERT
          value: /run/tessera/tls/tls.crt
        - name: TESSERA_TLS_KEY
          value: /run/tessera/tls/tls.key
        {{- end }}
        {{- range $name, $value := .Values.options }}
        - name: TESSERA_{{ $name | upper | replace "-" "_" }}
          value: {{ $value | toString | quote }}
        {{- end }}
      {{- with .Values.environmentSecret }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8500
      startupProbe:
        httpGet: { path: /healthz, port: http, scheme: {{ include "tessera.scheme" . }} }
        periodSeconds: 2
        # A migration of a large database is made before the port answers.
        failureThreshold: 450
        timeoutSeconds: 3
      livenessProbe:
        httpGet: { path: /healthz, port: http, scheme: {{ include "tessera.scheme" . }} }
        periodSeconds: 10
        failureThreshold: 6
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /readyz, port: http, scheme: {{ include "tessera.scheme" . }} }
        periodSeconds: 5
        failureThreshold: 2
        timeoutSeconds: 3
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- if .Values.masterKeySecret.name }}
        - name: key
          mountPath: /run/tessera/key
          readOnly: true
        {{- end }}
        {{- if .Values.tlsSecret }}
        - name: tls
          mountPath: /run/tessera/tls
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .Values.database "postgres" }}
    - name: data
      emptyDir: {}
    {{- end }}
    {{- if .Values.masterKeySecret.name }}
    - name: key
      secret:
        secretName: {{ .Values.masterKeySecret.name }}
        # Its group is the pod's own.
        defaultMode: 288
        items:
          - key: {{ .Values.masterKeySecret.key }}
            path: master-key
    {{- end }}
    {{- if .Values.tlsSecret }}
    - name: tls
      secret:
        secretName: {{ .Values.tlsSecret }}
        defaultMode: 288
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
