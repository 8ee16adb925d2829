\set chain :base + :client_id * 1000000000
\set number :chain + :turn
\set next :number + 1
-- $1 lpad(:chain::text, 32, '0')::uuid
-- $2 :turn::integer
-- $3 sha256(int8send(:number))
-- $4 sha256(int8send(:next))
-- $5 null::text
-- $6 10
-- $7 86400
-- $8 2
-- $9 '127.0.0.1'
-- $10 lpad(:number::text, 32, '0')
-- $11 '{}'::text[]
-- $12 null::text
-- $13 1000000
-- $14 1
-- $15 null
select outcome, account_id, client_id, provider, auth_time, amr, acr, issued_at, idle_expires_at, claims::text, administers, scopes, wait
  from rotate_refresh_token($1, $2, $3, $4, $5,
                            $6, $7, $8, $9,
                            $10, p_relaxed => $11, p_dialect => $12,
                            p_burst => $13, p_period => $14, p_resource => $15);
\set turn :turn + 1
