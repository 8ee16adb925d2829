-- Spends each digest once, to be remembered until a moment in Unix seconds; answers 0, or the position of the first one that was spent before.
create or replace function spend(p_digests bytea[], p_until bigint[]) returns integer language plpgsql as $$
begin
    for i in 1 .. coalesce(array_length(p_digests, 1), 0) loop
        insert into spent (digest, expires_at) values (p_digests[i], to_timestamp(p_until[i])) on conflict (digest) do nothing;
        if not found then
            return i;
        end if;
    end loop;
    return 0;
end $$;
