\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
-- $1 array[sha256('asker')]
-- $2 array[3600000::bigint]
-- $3 array[1::bigint]
-- $4 lpad(:number::text, 32, '0')::uuid
-- $5 'sign_in'
-- $6 'app'
-- $7 5
-- $8 20
-- $9 180000
-- $10 600
-- $11 3600
-- $12 null
-- $13 '127.0.0.1'
select revision, account_id, state::text, sealed, seconds_left, factors::text, hash, subject,
       failures, code_digest, guess_wait, wait_for_throttles($1, $2, $3)
  from load_flow($4, $5, $6, row($7, $8, $9, $10, $11)::flow_limits, $12, $13);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 1
-- $3 true
-- $4 null
-- $5 5
-- $6 20
-- $7 180000
-- $8 600
-- $9 3600
-- $10 jsonb_build_array(jsonb_build_object('kind', 'totp_used', 'factor', md5('coded ' || :number)::uuid, 'counter', 60000000))
-- $11 null
-- $12 null
-- $13 30
-- $14 '{}'
-- $15 '{}'
-- $16 '{}'
-- $17 '[{"kind": "provider", "address": "coded@example.com"}, {"kind": "totp"}]'::jsonb
-- $18 true
-- $19 lpad(:number::text, 32, '0')::uuid
-- $20 'app'
-- $21 'apple'
-- $22 sha256(int8send(:number))
-- $23 now()
-- $24 array['fed', 'otp', 'mfa']
-- $25 '2'
-- $26 2592000
-- $27 7776000
-- $28 null
-- $29 '127.0.0.1'
-- $30 'pgbench'
-- $31 lpad(:number::text, 32, '0')
-- $32 null
-- $33 false
-- $34 600
-- $35 15552000
-- $36 8
-- $37 array[sha256('asker')]
-- $38 array[3600000::bigint]
-- $39 array[1::bigint]
-- $40 null::text[]
-- $41 null::bytea
-- $42 null
select outcome, tries_left, wait, display_name, email, email_proved, account_created
  from answer_sign_in_flow($1, $2, $3, $4,
       row($5, $6, $7, $8, $9)::flow_limits, $10,
       $11, $41, $12,
       $13, null::outgoing_message, $14, $15, $16,
       $17, $18, row($19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $40, null, null, true, null)::session_request, $42,
       $37, $38, $39);
