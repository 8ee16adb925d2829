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
       failures, code_digest, guess_wait, wait_for_throttles($1, $2, $3),
       identity_id, link_flow, session_id, renews, new_account, proofs::text
  from load_flow($4, $5, $6, row($7, $8, $9, $10, $11)::flow_limits, $12, $13);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 0
-- $3 null
-- $4 sha256(int8send(:number))
-- $5 5
-- $6 20
-- $7 180000
-- $8 600
-- $9 3600
-- $10 '[]'::jsonb
-- $11 null
-- $12 null::bytea
-- $13 null
-- $14 30
-- $15 '{}'
-- $16 '{}'
-- $17 '{}'
-- $18 '[{"kind": "email_code", "address": "coded@example.com"}]'::jsonb
-- $19 true
-- $20 lpad(:number::text, 32, '0')::uuid
-- $21 'app'
-- $22 'email_otp'
-- $23 sha256(int8send(:number))
-- $24 now()
-- $25 array['otp']
-- $26 '1'
-- $27 2592000
-- $28 7776000
-- $29 null
-- $30 '127.0.0.1'
-- $31 'pgbench'
-- $32 lpad(:number::text, 32, '0')
-- $33 null
-- $34 false
-- $35 600
-- $36 15552000
-- $37 8
-- $38 null::text[]
-- $39 null
-- $40 null
-- $41 true
-- $42 null
-- $43 null
-- $44 null
-- $45 null
-- $46 array[sha256('asker')]
-- $47 array[3600000::bigint]
-- $48 array[1::bigint]
select outcome, tries_left, wait, display_name, email, email_proved, account_created, session_ends
  from answer_sign_in_flow($1, $2, $3, $4,
       row($5, $6, $7, $8, $9)::flow_limits, $10,
       $11, $12, $13,
       $14, null::outgoing_message, $15, $16, $17,
       $18, $19, row($20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44)::session_request, $45,
       $46, $47, $48);
