\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
\set next :number + 1
-- $1 'apple'
-- $2 'TEAM123456'
-- $3 '001999.pgbench.' || :number
-- $4 'pgbench' || :number || '@example.com'
-- $5 array[sha256(int8send(:number)), sha256('x'::bytea || int8send(:number))]
-- $6 array[0::bigint, extract(epoch from now())::bigint + 600]
-- $7 null
-- $8 null
-- $9 null
-- $10 lpad(:number::text, 32, '0')::uuid
-- $11 'app'
-- $12 'apple'
-- $13 sha256(int8send(:next))
-- $14 now()
-- $15 array['fed']
-- $16 '1'
-- $17 2592000
-- $18 7776000
-- $19 null
-- $20 '127.0.0.1'
-- $21 'pgbench'
-- $22 lpad(:number::text, 32, '0')
-- $23 null
-- $24 false
-- $25 600
-- $26 15552000
-- $27 8
-- $28 null::text[]
-- $29 null
-- $30 null
-- $31 true
-- $32 null
-- $33 null
-- $34 null
-- $35 '{"version": 1, "demanded": false, "proofs": [{"kind": "provider", "address": "pgbench@example.com"}], "language": ""}'::jsonb
-- $36 lpad(:number::text, 32, '0')::uuid
-- $37 lpad(:number::text, 32, '0')::uuid
-- $38 'apple'
-- $39 'TEAM123456'
-- $40 '001999.pgbench.' || :number
-- $41 'pgbench' || :number || '@example.com'
-- $42 true
-- $43 false
-- $44 null
-- $45 'pgbench' || :number || '@example.com'
-- $46 'pgbench' || :number || '@example.com'
-- $47 true
-- $48 'no_match'
-- $49 '{"rule": "no_match", "facts": {"has_address": true, "provider_is_authority": true, "proved_holders": 0, "unproved_holders": 0}}'::jsonb
select outcome, account_id, identity_id, display_name, email, email_proved, account_created, holders::text
  from sign_in($1, $2, $3, $4,
               $5, $6, $7, $8, $9, row($10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34)::session_request, $35,
               row($36, $37, row($38, $39, $40, $41, $42, $43, $44)::identity_facts, $45, $46, $47, $48, $49)::new_account);
