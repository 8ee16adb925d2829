\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
-- $1 array[sha256('asker')]
-- $2 array[3600000::bigint]
-- $3 array[1::bigint]
-- $4 lpad(:number::text, 32, '0')::uuid
-- $5 'sign_in'
-- $6 'app'
select revision, account_id, state::text, seconds_left, resend_in, factors::text, hash, subject,
       failures, code_digest, guess_wait, wait_for_throttles($1, $2, $3)
  from load_flow($4, $5, $6);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 0
-- $3 null
-- $4 sha256(int8send(:number))
-- $5 5
-- $6 '[]'::jsonb
-- $7 null
-- $8 null
-- $9 30
-- $10 '{}'
-- $11 '{}'
-- $12 '{}'
-- $13 '[{"kind": "email_code", "address": "coded@example.com"}]'::jsonb
-- $14 true
-- $15 lpad(:number::text, 32, '0')::uuid
-- $16 'app'
-- $17 'email_otp'
-- $18 sha256(int8send(:number))
-- $19 now()
-- $20 array['otp']
-- $21 '1'
-- $22 2592000
-- $23 7776000
-- $24 null
-- $25 '127.0.0.1'
-- $26 'pgbench'
-- $27 lpad(:number::text, 32, '0')
-- $28 null
-- $29 false
-- $30 array[sha256('asker')]
-- $31 array[3600000::bigint]
-- $32 array[1::bigint]
select outcome, tries_left, wait, display_name, email, email_proved, account_created
  from answer_sign_in_flow($1, $2, $3, $4,
       $5, $6,
       $7, $8,
       $9, null::outgoing_message, $10, $11, $12,
       $13, $14, row($15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)::session_request,
       $30, $31, $32);
