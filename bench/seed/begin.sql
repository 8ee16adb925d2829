-- What the rows are made with; afterwards it goes. Everything follows from a row's number: each run seeds the same.
create schema seed;

-- Indexes that serve no key are made again at the end, which is faster than to fill them row by row.
create table seed.indexes as
select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
 where c.relnamespace = 'public'::regnamespace and not i.indisunique and not c.relispartition
   and i.indrelid in (select unnest(array['accounts', 'account_emails', 'account_phones', 'identities', 'sessions', 'audit_sealed'])::regclass);
select format('drop index %s', name) from seed.indexes \gexec

-- The months that the events lie in, and no event before them: their positions and ids begin at 1.
select make_audit_partitions_from(now() - interval '31 days');
-- The log refuses to lose rows: its triggers rest while the events of the start go.
set session_replication_role = replica;
truncate audit_inbox, audit_sealed, audit_chain, audit_counts;
reset session_replication_role;

-- One moment for all batches.
select format('create function seed.now() returns timestamptz language sql immutable as %L', format('select %L::timestamptz', now())) \gexec

-- Functions of one expression, which PostgreSQL puts into the statement.
--
-- As UUIDv7 has it: the moment first, so that ids rise with it.
create function seed.id(p_kind text, p_number bigint, p_at timestamptz) returns uuid language sql stable as $$
    select overlay(overlay(overlay(md5(p_kind || p_number) placing '7' from 13) placing '8' from 17)
                   placing lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') from 1)::uuid
$$;

-- Accounts were made over two years.
create function seed.born(p_number bigint, p_accounts bigint) returns timestamptz language sql stable as $$
    select seed.now() - interval '730 days' * (1 - p_number::float8 / p_accounts)
$$;
create function seed.account(p_number bigint, p_accounts bigint) returns uuid language sql stable as $$
    select seed.id('account', p_number, seed.born(p_number, p_accounts))
$$;

-- A number that looks drawn by lot, below p_below.
create function seed.lot(p_number bigint, p_salt integer, p_below integer) returns integer language sql stable as $$
    select ((p_number * 2654435761 + p_salt * 40503) % 4294967291 / 7 % p_below)::integer
$$;

-- 400 given names, 8,000 surnames, written as people write them; one name in a hundred is Maria Garcia's.
create function seed.given(p_number bigint) returns text language sql stable as $$
    select initcap((array['an','be','da','el','fa','gi','ha','is','jo','ka','lu','ma','ni','ol','pe','ro','sa','ta','vi','yu'])[seed.lot(p_number, 1, 20) + 1]
                || (array['na','ra','lia','mir','ton','rine','bel','ko','das','ven','ela','shi','rek','ja','tte','dor','nne','mus','ley','xis'])[seed.lot(p_number, 2, 20) + 1])
$$;
create function seed.surname(p_number bigint) returns text language sql stable as $$
    select initcap((array['ab','bra','cor','den','er','fro','gal','hol','ing','jan','kro','lind','mar','nor','ost','pal','ried','sto','tur','wes'])[seed.lot(p_number, 3, 20) + 1]
                || (array['a','en','i','o','er','u','ber','der','man','ne','gar','ste','lo','vi','ka','ro','li','ta','mo','se'])[seed.lot(p_number, 4, 20) + 1]
                || (array['berg','sen','son','mann','ez','ova','ski','ton','land','feld','moto','wala','ier','elli','os','ura','dottir','yan','ides','ic'])[seed.lot(p_number, 5, 20) + 1])
$$;
create function seed.name(p_number bigint) returns text language sql stable as $$
    select case when p_number % 100 = 7 then 'Maria Garcia' else seed.given(p_number) || ' ' || seed.surname(p_number) end
$$;
create function seed.email(p_number bigint) returns text language sql stable as $$
    select lower(replace(seed.name(p_number), ' ', '.')) || p_number || '@'
           || (array['example.com','mail.example.net','post.example.org','example.edu','firm.example'])[seed.lot(p_number, 6, 5) + 1]
$$;
create function seed.phone(p_number bigint) returns text language sql stable as $$
    select (array['+1','+44','+49','+55','+81','+91'])[seed.lot(p_number, 7, 6) + 1] || (2000000000 + p_number * 1999 % 7000000000)
$$;
create function seed.subject(p_number bigint) returns text language sql stable as $$
    select case p_number % 3 when 0 then '001999.' || md5('apple' || p_number) || '.1200' when 1 then '1' || lpad((p_number * 7919)::text, 20, '0')
                             else md5('microsoft' || p_number)::uuid::text end
$$;
