\set turn :turn + 1
\set number :base + :client_id * 1000000000 + :turn
\set next :number + 1
-- $1 'apple'
-- $2 'TEAM123456'
-- $3 '001999.pgbench.' || :number
-- $4 'pgbench' || :number || '@example.com'
-- $5 array[sha256(int8send(:number))]
-- $6 array[4102444800]
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
-- $25 '{"version": 1, "demanded": false, "proofs": [{"kind": "provider", "address": "pgbench@example.com"}], "language": ""}'::jsonb
select outcome, spent_position, account_id, identity_id, display_name, email, email_proved, account_created, holders::text
  from sign_in($1, $2, $3, $4,
               $5, $6, $7, $8, $9, row($10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)::session_request, $25);
-- $1 lpad(:number::text, 32, '0')::uuid
-- $2 lpad(:number::text, 32, '0')::uuid
-- $3 'apple'
-- $4 'TEAM123456'
-- $5 '001999.pgbench.' || :number
-- $6 'pgbench' || :number || '@example.com'
-- $7 true
-- $8 false
-- $9 null
-- $10 'pgbench' || :number || '@example.com'
-- $11 'pgbench' || :number || '@example.com'
-- $12 true
-- $13 'new_account'
-- $14 '{"rule": "new_account"}'::jsonb
-- $15 array[sha256(int8send(:number))]
-- $16 array[4102444800]
-- $17 null
-- $18 null
-- $19 null
-- $20 lpad(:number::text, 32, '0')::uuid
-- $21 'app'
-- $22 'apple'
-- $23 sha256(int8send(:next))
-- $24 now()
-- $25 array['fed']
-- $26 '1'
-- $27 2592000
-- $28 7776000
-- $29 null
-- $30 '127.0.0.1'
-- $31 'pgbench'
-- $32 lpad(:number::text, 32, '0')
-- $33 null
-- $34 false
-- $35 '{"version": 1, "demanded": false, "proofs": [{"kind": "provider", "address": "pgbench@example.com"}], "language": ""}'::jsonb
select outcome, spent_position, account_created
  from sign_in_new_account($1, $2, row($3, $4, $5, $6, $7, $8, $9)::identity_facts, $10, $11, $12,
                           $13, $14, $15, $16, $17,
                           $18, $19, row($20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34)::session_request, $35);
